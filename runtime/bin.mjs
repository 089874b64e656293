#!/usr/bin/env node
import { pathToFileURL } from 'node:url';
import { bundledProgram } from './bundle.mjs';

// An error names the lines of the sources, not those of the bundle.
process.setSourceMapsEnabled(true);
await import(pathToFileURL(await bundledProgram()).href);
