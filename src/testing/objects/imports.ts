import assert from 'node:assert/strict'
import { encodeForm } from '../files.ts'
import type { Client, TestService } from '../service.ts'

type Fields = Record<string, unknown>
type Row = {
  pk: number
  row_index: number
  row_data: Fields
  data: Fields
  errors: Fields | null
  valid: boolean
  complete: boolean
  object: number | null
  action: string
}

/** Imports files through the API, as the member by default. */
export function createImportHelpers({ member }: TestService, client: Client = member) {
  const sessions = '/api/importer/session/'

  /** Sends a file. Fields that are objects are sent as JSON texts, as forms do. */
  const send = (
    content: string | Uint8Array,
    model_type: string,
    { name = 'data.csv', ...fields }: Fields & { name?: string } = {},
  ) => {
    const texts = Object.fromEntries(
      Object.entries(fields).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
    )
    const { body, headers } = encodeForm({ model_type, ...texts, data_file: { name, content } })
    return client.post(sessions, body, headers)
  }

  const upload = async (...args: Parameters<typeof send>) => {
    const response = await send(...args)
    assert.equal(response.status, 201, response.text)
    return response.body
  }

  const acceptFields = async (session: number) => {
    const response = await client.post(`${sessions}${session}/accept_fields/`, {})
    assert.equal(response.status, 200, response.text)
    return response.body
  }

  const listRows = async (session: number, query = ''): Promise<Row[]> =>
    (await client.get(`/api/importer/row/?session=${session}&limit=10000&ordering=row_index${query}`)).body.results

  const acceptRows = (session: number, rows: readonly number[]) => client.post(`${sessions}${session}/accept_rows/`, { rows })

  /** Sends a file and reads its rows. */
  const read = async (...args: Parameters<typeof send>) => {
    const { pk } = await upload(...args)
    await acceptFields(pk)
    return { session: pk as number, rows: await listRows(pk) }
  }

  /** Imports a file whose rows are all valid. Returns the rows afterwards. */
  const load = async (...args: Parameters<typeof send>) => {
    const { session, rows } = await read(...args)
    assert.deepEqual(
      rows.filter(({ valid }) => !valid).map(({ row_index, errors }) => ({ row_index, errors })),
      [],
    )
    const response = await acceptRows(
      session,
      rows.map(({ pk }) => pk),
    )
    assert.equal(response.status, 201, response.text)
    assert.deepEqual(response.body.rejected, [], JSON.stringify((await listRows(session)).map(({ errors }) => errors)))
    return { session, rows: await listRows(session) }
  }

  return { sessions, send, upload, acceptFields, listRows, acceptRows, read, load }
}
