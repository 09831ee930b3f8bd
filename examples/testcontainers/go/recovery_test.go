package recovery

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/wait"
)

const (
	databases = "/v1/organizations/acme/databases"
	fiveDays  = 5 * 86_400
)

// platform is a reference API in a container.
type platform struct {
	url, key, token string
}

func startPlatform(t *testing.T) *platform {
	t.Helper()
	ctx := context.Background()
	key := rand.Text()
	container, err := testcontainers.GenericContainer(ctx, testcontainers.GenericContainerRequest{
		ContainerRequest: testcontainers.ContainerRequest{
			Image:        "dbplatform-api",
			Env:          map[string]string{"DBPLATFORM_REFERENCE_KEY": key},
			ExposedPorts: []string{"8080/tcp"},
			WaitingFor:   wait.ForHTTP("/_reference/health").WithPort("8080/tcp"),
		},
		Started: true,
	})
	testcontainers.CleanupContainer(t, container)
	if err != nil {
		t.Fatal(err)
	}
	url, err := container.PortEndpoint(ctx, "8080/tcp", "http")
	if err != nil {
		t.Fatal(err)
	}
	started := &platform{url: url, key: key}
	var minted struct{ Token string }
	started.send(t, http.MethodPost, "/_reference/tokens", nil, &minted)
	started.token = minted.Token
	return started
}

// send sends a request with the API token. The platform's own routes, under /_reference/, require the key.
func (p *platform) send(t *testing.T, method, path string, body, result any) {
	t.Helper()
	status, answer := p.try(t, p.token, method, path, body)
	if status != http.StatusOK {
		t.Fatalf("%s %s: %d %s", method, path, status, answer)
	}
	if result == nil {
		return
	}
	if err := json.Unmarshal(answer, result); err != nil {
		t.Fatal(err)
	}
}

func (p *platform) try(t *testing.T, token, method, path string, body any) (int, []byte) {
	t.Helper()
	var sent io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		sent = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, p.url+path, sent)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Reference-Key", p.key)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, answer
}

// query runs statements in a database, and returns the platform's answer.
func (p *platform) query(t *testing.T, id, token string, statements ...string) string {
	t.Helper()
	requests := []any{}
	for _, sql := range statements {
		requests = append(requests, map[string]any{"type": "execute", "stmt": map[string]string{"sql": sql}})
	}
	body := map[string]any{"requests": requests}
	status, answer := p.try(t, token, http.MethodPost, fmt.Sprintf("/sql/%s/v2/pipeline", id), body)
	if status != http.StatusOK || strings.Contains(string(answer), `"error"`) {
		t.Fatalf("%s: %d %s", statements, status, answer)
	}
	return string(answer)
}

func TestDeletedDatabaseComesBackWithItsRowsWithinFiveDays(t *testing.T) {
	p := startPlatform(t)
	var organizations struct{ Organizations []struct{ ID string } }
	p.send(t, http.MethodGet, "/_reference/organizations", nil, &organizations)
	var created struct{ Database struct{ DbId string } }
	p.send(t, http.MethodPost, databases, map[string]string{"name": "orders", "group": "default"}, &created)
	var minted struct{ JWT string }
	p.send(t, http.MethodPost, databases+"/orders/auth/tokens", nil, &minted)
	id := created.Database.DbId
	p.query(t, id, minted.JWT, "create table items (name text)", "insert into items values ('tea')")

	restore := fmt.Sprintf("/v3/organizations/%s/databases/%s/restore", organizations.Organizations[0].ID, id)
	p.send(t, http.MethodDelete, databases+"/orders", nil, nil)
	p.send(t, http.MethodPost, restore, nil, nil)
	if answer := p.query(t, id, minted.JWT, "select name from items"); !strings.Contains(answer, `"tea"`) {
		t.Errorf("the row is missing: %s", answer)
	}

	p.send(t, http.MethodDelete, databases+"/orders", nil, nil)
	p.send(t, http.MethodPost, "/_reference/clock/advance", map[string]int{"seconds": fiveDays + 1}, nil)
	if status, answer := p.try(t, p.token, http.MethodPost, restore, nil); status != http.StatusNotFound {
		t.Errorf("after five days: %d %s", status, answer)
	}
}
