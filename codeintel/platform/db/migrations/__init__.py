"""Alembic's environment and the migrations, packaged so that an installed service has them."""
