import json
import os
import subprocess
import sys

from sqlalchemy import create_engine, text

address = os.environ["DATABASE_URL"].removeprefix("http://")
engine = create_engine(
    f"sqlite+libsql://{address}", connect_args={"auth_token": os.environ["DATABASE_TOKEN"]}
)


def alembic(*arguments):
    command = [sys.executable, "-m", "alembic", *arguments]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def migrate(name):
    alembic("revision", "--autogenerate", "-m", name)
    alembic("upgrade", "head")
    alembic("check")


migrate("customers")
with engine.begin() as connection:
    connection.execute(text("insert into customers (name) values (:name)"), {"name": "ada"})
with engine.connect() as connection:
    connection.execute(text("delete from customers"))
    connection.rollback()

os.environ["NOTE"] = "yes"
migrate("note")
with engine.begin() as connection:
    row = {"name": "eve", "note": "second"}
    connection.execute(text("insert into customers (name, note) values (:name, :note)"), row)
    found = connection.execute(text("select name, note from customers order by id"))
    print(json.dumps([dict(customer) for customer in found.mappings()]))
