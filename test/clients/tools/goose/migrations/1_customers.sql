-- +goose Up
CREATE TABLE customers (id integer PRIMARY KEY, name text NOT NULL);
CREATE UNIQUE INDEX customers_name ON customers (name);

-- +goose Down
DROP TABLE customers;
