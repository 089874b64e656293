import { writeFileSync } from 'node:fs';
import { describeRoutes } from './describe-routes.ts';
import { GENERATED, generateOperations } from './generate.ts';

/** `npm run wire`: writes the client's types anew, after a change to the routes' schemas. */
writeFileSync(GENERATED, generateOperations(await describeRoutes()));
