import json
import os
import subprocess
import sys

import django
from django.db import transaction

os.environ["DJANGO_SETTINGS_MODULE"] = "settings"


def manage(*arguments):
    command = [sys.executable, "-m", "django", *arguments]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def migrate():
    manage("makemigrations", "shop")
    manage("migrate")
    manage("makemigrations", "--check", "shop")
    manage("migrate", "--check")


def run(phase):
    subprocess.run([sys.executable, __file__, phase], check=True)


def first():
    from shop.models import Customer

    with transaction.atomic():
        Customer.objects.create(name="ada")
    try:
        with transaction.atomic():
            Customer.objects.all().delete()
            raise RuntimeError("undo")
    except RuntimeError:
        pass


def second():
    from shop.models import Customer

    Customer.objects.create(name="eve", note="second")
    print(json.dumps(list(Customer.objects.order_by("id").values("name", "note"))))


if len(sys.argv) > 1:
    django.setup()
    {"first": first, "second": second}[sys.argv[1]]()
else:
    migrate()
    run("first")
    os.environ["NOTE"] = "yes"
    migrate()
    run("second")
