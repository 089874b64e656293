import fastify from 'fastify';
import pg from 'pg';

/** Run as a child process: the same Fastify, with one bare query and nothing around it. Prints its address. */
const pool = new pg.Pool({ connectionString: process.argv[2], max: 24 });
const app = fastify();
app.get<{ Querystring: { offset?: string } }>('/orders', async ({ query }) => {
  const { rows } = await pool.query(
    'select asset_key, category, chain, price_to_beat, updated_at from lots where open order by updated_at desc, asset_key limit 21 offset $1',
    [Number(query.offset ?? 0)],
  );
  return { items: rows };
});
console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
