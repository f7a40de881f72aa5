import pg from 'pg'

/** Lends a connection that is none of the pool's, without limits of time: for what may take longer than any request. */
export async function withOwnConnection<Result>(pool: pg.Pool, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ ...pool.options, query_timeout: 0 })
  // whoever uses it finds out with the next statement
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
