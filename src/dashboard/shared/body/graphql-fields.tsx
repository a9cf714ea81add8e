/** A GraphQL request: the query, its variables as JSON, and the operation if the query has several. */
import { Input, TextInput } from '@mantine/core';
import { CodeEditor } from '../editor/code-editor';
import { fieldAt, problemAt } from '../form/problems';
import { findJsonProblem, type GraphqlDraft } from './body-draft';
import type { BodyFieldProps } from './body-field';

export function GraphqlFields(props: BodyFieldProps) {
  const { prefix = '', value, onChange, problems, names } = props;
  const { query, variables, operationName } = value.graphql;
  const path = `${prefix}graphql`;
  const set = (patch: Partial<GraphqlDraft>): void =>
    onChange({ ...value, graphql: { ...value.graphql, ...patch } });
  const ofQuery = problemAt(problems, `${path}.query`);
  const ofVariables = findJsonProblem(value)?.message ?? problemAt(problems, `${path}.variables`);
  return (
    <>
      <Input.Wrapper label="Query" labelElement="div" error={ofQuery} data-path={`${path}.query`}>
        <CodeEditor
          label="GraphQL query"
          language="text"
          value={query}
          onChange={(text) => set({ query: text })}
          isInvalid={ofQuery !== undefined}
          names={names}
        />
      </Input.Wrapper>
      <Input.Wrapper
        label="Variables (JSON)"
        labelElement="div"
        error={ofVariables}
        data-path={`${path}.variables`}
      >
        <CodeEditor
          label="GraphQL variables"
          language="json"
          value={variables}
          onChange={(text) => set({ variables: text })}
          isInvalid={ofVariables !== undefined}
          names={names}
        />
      </Input.Wrapper>
      <TextInput
        label="Operation name"
        description="Needed if the query has several operations"
        value={operationName}
        onChange={({ currentTarget }) => set({ operationName: currentTarget.value })}
        {...fieldAt(problems, `${path}.operationName`)}
      />
    </>
  );
}
