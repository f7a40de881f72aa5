import type { Client } from './client.ts'

/** A whole number from 1 to so many. */
export const any = (most: number): number => 1 + Math.floor(Math.random() * most)

export const one = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)] as T

export const isHeads = (): boolean => Math.random() < 0.5

/** What would end all of its kind is done one time in four. */
export const isRare = (): boolean => Math.random() < 0.25

let named = 0
/** A name that nothing else has. */
export const name = (kind: string): string => `${kind} ${process.pid} ${++named}`

/** The number of a new order. */
export const nextNumber = (): number => ++named

/** So many rows of a table, in no order: of its oldest or its newest ones, so that clients meet. */
export async function some(client: Client, table: string, where = 'true', many = 1): Promise<any[]> {
  const end = isHeads() ? 'asc' : 'desc'
  return client.rows(
    `select * from (select t.* from ${table} t where ${where} order by pk ${end} limit 12) few order by random() limit ${many}`,
  )
}

/** The key of one of them. */
export const key = async (client: Client, table: string, where = 'true'): Promise<number | undefined> =>
  (await some(client, table, where))[0]?.pk
