import os

from alembic import context
from sqlalchemy import create_engine, pool

from models import Base

address = os.environ["DATABASE_URL"].removeprefix("http://")
engine = create_engine(
    f"sqlite+libsql://{address}",
    connect_args={"auth_token": os.environ["DATABASE_TOKEN"]},
    poolclass=pool.NullPool,
)
with engine.connect() as connection:
    context.configure(connection=connection, target_metadata=Base.metadata, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()
