/** Reads the settings, metrics, commands, options, exit codes, tools and error codes of the surface. */
import type { Command, Option } from 'commander';
import { createMetricsRegistry } from '../api/operator/metrics-router';
import { EXIT_CODES } from '../cli/cli-error';
import { listRequiringRoles } from '../config/settings-markdown';
import { SETTINGS_TABLE } from '../config/settings-table';
import { ERROR_STATUSES } from '../contracts/error-codes';
import { TOOLS } from '../mcp/mcp-server';
import { SET_LISTS } from '../schemas/apply';
import { readList, readRecord, readText } from '../schemas/loose';
import type { NameFacts } from './surface';

type Names = readonly (readonly [string, NameFacts])[];

export function readSettingNames(): Names {
  return Object.entries(SETTINGS_TABLE).flatMap(([name, { isSecret }]): Names => {
    const setting = [`setting ${name}`, { closed: listRequiringRoles(name) }] as const;
    return isSecret ? [setting, [`setting ${name}_FILE`, {}]] : [setting];
  });
}

export function readMetricNames(): Names {
  const { registry } = createMetricsRegistry(async () => null);
  return registry.getMetricsAsArray().map((metric) => {
    const { name, type, labelNames } = readRecord(metric);
    const kept = readList(labelNames).map(readText);
    return [`metric ${readText(name)}`, { same: { type: readText(type) }, kept }] as const;
  });
}

export function readCommandNames(program: Command): Names {
  return [
    ...listOptions(program, ''),
    ...program.commands.flatMap((each) => listCommand(each, '')),
  ];
}

function listCommand(command: Command, parent: string): Names {
  return [command.name(), ...command.aliases()].flatMap((word): Names => {
    const path = `${parent} ${word}`;
    const positions = command.registeredArguments.map(
      (_argument, index) => `argument ${index + 1}`,
    );
    const closed = positions.filter((_name, index) => command.registeredArguments[index]?.required);
    return [
      [`command${path}`, { kept: positions, closed }],
      ...listOptions(command, path),
      ...command.commands.flatMap((each) => listCommand(each, path)),
    ];
  });
}

function listOptions({ options }: Command, path: string): Names {
  return options.flatMap((option) =>
    [option.long, option.short].flatMap((flag): Names => {
      if (flag === undefined || flag === null) return [];
      return [[`option${path} ${flag}`, readOption(option)]];
    }),
  );
}

function readOption({ required, optional, mandatory, argChoices }: Option): NameFacts {
  return {
    same: { value: required ? 'required' : optional ? 'optional' : 'none' },
    ...(argChoices !== undefined && { kept: argChoices }),
    closed: mandatory ? ['required'] : [],
  };
}

export function readCodeNames(): Names {
  return [
    ...Object.entries(EXIT_CODES).map(
      ([name, code]) => [`exit code ${name}`, { same: { code } }] as const,
    ),
    ...Object.entries(ERROR_STATUSES).map(
      ([code, status]) => [`error code ${code}`, { same: { status } }] as const,
    ),
  ];
}

/**
 * Returns the tools with the names of their arguments. The schemas of the arguments are left out, because they follow
 * `/v1`.
 */
export function readToolNames(): Names {
  return TOOLS.map(({ name, inputSchema }) => {
    const kept = Object.keys(readRecord(inputSchema['properties']));
    return [`tool ${name}`, { kept, closed: readList(inputSchema['required']).map(readText) }];
  });
}

export function readFileNames(): Names {
  return SET_LISTS.map((list) => [`file list ${list}`, {}] as const);
}
