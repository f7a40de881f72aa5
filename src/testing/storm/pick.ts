import type { Client } from './client.ts'

/** Returns a random whole number from 1 to `max`. */
export const randomInteger = (max: number): number => 1 + Math.floor(Math.random() * max)

export const pickOne = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)] as T

/** Whether a tossed coin shows heads. */
export const isHeads = (): boolean => Math.random() < 0.5

/** True one time in four: for operations that would otherwise soon close all objects of their kind. */
export const isOneInFour = (): boolean => Math.random() < 0.25

let lastNumber = 0
/** Returns a unique name. */
export const createName = (kind: string): string => `${kind} ${process.pid} ${++lastNumber}`

/** Returns the number for a new order. */
export const nextNumber = (): number => ++lastNumber

/** Returns some rows of a table in random order, from its oldest or its newest ones, so that clients collide. */
export async function pickRows(client: Client, table: string, where = 'true', count = 1): Promise<any[]> {
  const end = isHeads() ? 'asc' : 'desc'
  return client.rows(
    `select * from (select t.* from ${table} t where ${where} order by pk ${end} limit 12) candidate order by random() limit ${count}`,
  )
}

/** Returns the key of one of these rows. */
export const pickKey = async (client: Client, table: string, where = 'true'): Promise<number | undefined> =>
  (await pickRows(client, table, where))[0]?.pk
