#!/usr/bin/env node
// The program of an installed package: its sources are TypeScript, which tsx reads within node_modules, too.
import { register } from 'tsx/esm/api';

register();
await import('./handshake.ts');
