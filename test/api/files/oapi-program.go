// Uses the client of oapi-codegen in generated-clients.long.test.ts: creates a monitor, lists it, and reads a refusal.
package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"

	"example.com/program/keepwatch"
)

const name = "Made by oapi-codegen"

func must[Value any](value Value, err error) Value {
	if err != nil {
		panic(err)
	}
	return value
}

func create(client *keepwatch.ClientWithResponses, url string) *keepwatch.CreateMonitorResponse {
	var body keepwatch.MonitorBody
	must(0, body.FromHttpMonitorBody(keepwatch.HttpMonitorBody{Type: "http", Name: name, Url: url}))
	return must(client.CreateMonitorWithResponse(context.Background(), nil, body))
}

func main() {
	server, key := os.Args[1], os.Args[2]
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+key)
		return nil
	}
	client := must(keepwatch.NewClientWithResponses(server, keepwatch.WithRequestEditorFn(authorize)))
	made := must(create(client, "https://shop.example.com/").JSON201.AsHttpMonitor())
	refused := create(client, "no-url").ApplicationproblemJSON400
	query := name
	listed := must(client.ListMonitorsWithResponse(
		context.Background(), &keepwatch.ListMonitorsParams{Q: &query}))
	must(0, json.NewEncoder(os.Stdout).Encode(map[string]any{
		"type": made.Type, "name": made.Name, "total": len(listed.JSON200.Data), "refused": refused.Code,
	}))
}
