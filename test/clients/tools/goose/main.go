package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"

	"github.com/pressly/goose/v3"
	_ "github.com/tursodatabase/libsql-client-go/libsql"
)

type customer struct {
	Name string  `json:"name"`
	Note *string `json:"note"`
}

func main() {
	ctx := context.Background()
	db := must(sql.Open("libsql", os.Getenv("DATABASE_URL")+"?authToken="+os.Getenv("DATABASE_TOKEN")))
	provider := must(goose.NewProvider(goose.DialectTurso, db, os.DirFS("migrations")))

	must(provider.UpTo(ctx, 1))
	kept := must(db.Begin())
	must(kept.Exec("INSERT INTO customers (name) VALUES (?)", "ada"))
	check(kept.Commit())
	undone := must(db.Begin())
	must(undone.Exec("DELETE FROM customers"))
	check(undone.Rollback())

	must(provider.Up(ctx))
	must(provider.Down(ctx))
	must(provider.Up(ctx))
	must(db.Exec("INSERT INTO customers (name, note) VALUES (?, ?)", "eve", "second"))
	rows := must(db.Query("SELECT name, note FROM customers ORDER BY id"))
	found := []customer{}
	for rows.Next() {
		var next customer
		check(rows.Scan(&next.Name, &next.Note))
		found = append(found, next)
	}
	check(rows.Err())
	fmt.Println(string(must(json.Marshal(found))))
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
