CREATE TABLE invoices (id integer PRIMARY KEY, amount integer);
CREATE INDEX by_amount ON invoices (amount);
