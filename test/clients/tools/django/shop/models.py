import os

from django.db import models


class Customer(models.Model):
    name = models.CharField(max_length=50, unique=True)
    # The second migration adds a column and makes the other one longer, for which Django copies the table.
    if os.environ.get("NOTE"):
        name = models.CharField(max_length=100, unique=True)
        note = models.TextField(null=True)
