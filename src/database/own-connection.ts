import pg from 'pg'

/** Opens a connection outside the pool, without timeouts, for work that may take longer than any request. */
export async function withDedicatedConnection<Result>(
  pool: pg.Pool,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ ...pool.options, query_timeout: 0 })
  // the next statement reports the error
  client.on('error', () => {})
  await client.connect()
  try {
    await pool.options.onConnect?.(client)
    await client.query('set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0')
    return await work(client)
  } finally {
    await client.end()
  }
}
