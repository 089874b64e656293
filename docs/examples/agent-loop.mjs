// An AI agent's tool loop over MCP: the model asks for tools, the program calls them and pays, until the model answers.
//   PAYER_PRIVATE_KEY=0x… node docs/examples/agent-loop.mjs <address> [base-url]
// The model here is a script, so that the example needs no key of a provider: put your model's call into `model`.
import { privateKeyToAccount } from '@safe-handshake/client';
import { mcpTools } from '@safe-handshake/client/mcp';

const [address, url = 'http://127.0.0.1:4021'] = process.argv.slice(2);
const account = privateKeyToAccount(process.env.PAYER_PRIVATE_KEY);
const service = mcpTools(url, { account, budgetUsd: 0.05 });

/** Says which tool to call next, or the answer, as a model does that is given the tools and what was said so far. */
async function model(tools, said) {
  const answers = said.filter(({ role }) => role === 'tool').map(({ result }) => result);
  const named = (name) => tools.some((tool) => tool.name === name);
  if (answers.length === 0 && named('quote')) return { tool: 'quote', args: { tier: 'wallet' } };
  if (answers.length === 1 && named('check')) return { tool: 'check', args: { address, chainId: 1002 } };
  const { verdict, reasons = [] } = answers.at(-1).structuredContent;
  return {
    text:
      verdict === 'CLEAN' ? `${address} may be paid.` : `${address} must not be paid: ${reasons.join('; ')}`,
  };
}

const tools = await service.list();
const said = [{ role: 'user', text: `May I pay ${address}?` }];
for (let turns = 0; turns < 8; turns++) {
  const { tool, args, text } = await model(tools, said);
  if (text !== undefined) {
    console.log(text);
    break;
  }
  const result = await service.call(tool, args);
  console.log(`${tool}: ${result.isError ? 'refused' : 'answered'}`);
  said.push({ role: 'tool', tool, result });
}
