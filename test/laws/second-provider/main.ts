#!/usr/bin/env node
import { serve } from "../../../kit/plugin/serve";

void serve(async () => (await import("./provider.js")).d1);
