import os

DATABASES = {
    "default": {
        "ENGINE": "django_libsql",
        "NAME": os.environ["DATABASE_URL"],
        "AUTH_TOKEN": os.environ["DATABASE_TOKEN"],
    }
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "shop",
]
SECRET_KEY = "only for this test"
