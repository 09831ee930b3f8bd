#!/usr/bin/env node
import { serve } from "pulumi-provider-kit";

void serve(async () => (await import("./provider.js")).d1);
