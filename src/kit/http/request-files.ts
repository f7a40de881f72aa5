import { getTableName } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../request/problem.ts'
import type { Services } from '../services/services.ts'
import { deleteUploads, Upload } from '../services/uploads.ts'
import { quote } from '../sql/sql.ts'
import { receiveFiles } from '../writing/files.ts'
import { readPathKey } from './http.ts'

/** Stores the files of a body before the work begins. Files that end up unused are deleted. */
export async function withFiles<T extends { replayed: boolean }>(
  services: Services,
  request: FastifyRequest,
  body: Record<string, unknown>,
  work: (body: Record<string, unknown>) => Promise<T>,
): Promise<T> {
  const { form, acceptsFiles } = request.routeOptions.config
  if (!form || !acceptsFiles) return work(body)
  const uploads = Object.values(body).filter((value) => value instanceof Upload)
  const pk = request.method === 'POST' ? undefined : (request.params as { id?: string }).id
  const current = async (column: PgColumn) => (pk === undefined ? undefined : readColumn(services, column, readPathKey(pk)))
  try {
    const outcome = await work(await receiveFiles(form, body, { services, caller: request.caller, uploads, body, current }))
    if (outcome.replayed) await deleteUploads(services, uploads)
    return outcome
  } catch (error) {
    // after any other error it is unknown whether the change was made: unused files are deleted later
    if (error instanceof Problem) await deleteUploads(services, uploads)
    throw error
  }
}

/** Reads a column of one row. */
async function readColumn({ database }: Services, column: PgColumn, pk: number): Promise<unknown> {
  const [row] = await database.read<{ value: unknown }>({
    text: `select ${quote(column.name)} as value from ${quote(getTableName(column.table))} where pk = $1`,
    values: [pk],
  })
  return row?.value
}
