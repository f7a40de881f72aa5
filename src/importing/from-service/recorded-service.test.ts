import assert from 'node:assert/strict'
import { type Dirent, existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, relative } from 'node:path'
import { after, describe, it } from 'node:test'
import { ROOT } from '../../paths.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { createFilesFolder } from '../../testing/files.ts'
import type { FixtureRecord } from '../fixture.ts'
import { importDump } from '../import.ts'
import { getQuotedTable, kinds, type RecordKind } from '../loading/kinds.ts'
import { downloadDump } from './download.ts'
import { type SourceList, sourceLists } from './lists.ts'
import { Source } from './source.ts'

// A fake server with the forms of InvenTree 1.5 (API 530): rows that were recorded are as they were, the other rows of a list have the
// recorded fields with the values of the dump that was recorded from. It has no path that was not recorded.

const SHARED = join(ROOT, '../shared')
const DUMP = join(SHARED, 'data/inventree-1.5-demo.json')
const MEDIA = join(SHARED, 'data/inventree-1.5-media')
const RECORDINGS = ['reads.jsonl', 'reads-not-in-dump.jsonl'].map((name) => join(SHARED, 'reference/530/transcripts', name))
const isAbsent = [DUMP, MEDIA, ...RECORDINGS].some((path) => !existsSync(path))

type Row = Record<string, unknown>
type Recording = { path: string; status: number; answer?: unknown }

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)
const readLines = (path: string) => readFileSync(path, 'utf8').trim().split('\n')

/** Names of fields in a dump that have other ones in responses. */
const RENAMED: Record<string, string> = {
  'part.part responsible_owner': 'responsible',
  'part.partcategory _icon': 'icon',
  'stock.stocklocation custom_icon': 'icon',
}

class RecordedService {
  private readonly recordings = RECORDINGS.flatMap((file) => readLines(file).map((line) => JSON.parse(line) as Recording))
  private readonly records = JSON.parse(readFileSync(DUMP, 'utf8')) as FixtureRecord[]
  private readonly paths = new Set(this.recordings.filter(({ status }) => status === 200).map(({ path }) => pathOf(path)))
  private readonly keysByName = new Map(
    this.records.flatMap(({ model, pk, fields }) =>
      model === 'auth.user' ? [[`user ${fields.username}`, pk]] : model === 'auth.group' ? [[`group ${fields.name}`, pk]] : [],
    ) as [string, number][],
  )
  private readonly lists = new Map<string, Row[]>()
  requests = 0

  /** The response to a path; undefined for 404. */
  respond(url: string): unknown {
    this.requests++
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    if (pathname === '/api/') return this.recordings.find(({ path }) => path === '/api/')?.answer
    const list = sourceLists.find(
      ({ path }) => pathname.startsWith(`/${path}`) && /^(\d+\/)?$/.test(pathname.slice(path.length + 1)),
    )
    if (!list || !this.paths.has(`/${list.path}`)) return undefined
    const rows = this.rowsOf(list)
    const [, key] = /(\d+)\/$/.exec(pathname) ?? []
    if (key !== undefined && pathname !== `/${list.path}`) return this.detail(list, Number(key), rows)
    const [offset, limit] = [Number(searchParams.get('offset')), Number(searchParams.get('limit'))]
    return { count: rows.length, next: null, previous: null, results: rows.slice(offset, offset + limit) }
  }

  private detail(list: SourceList, pk: number, rows: Row[]): unknown {
    const row = rows.find((row) => row.pk === pk)
    if (!row) return undefined
    const record = this.records.find((record) => record.pk === pk && record.model === list.model)
    const tagged = this.records.filter(
      ({ model, fields }) =>
        model === 'taggit.taggeditem' && fields.object_id === pk && String(fields.content_type).replace(',', '.') === list.model,
    )
    const tags = tagged.map(({ fields: { tag } }) => (tag as [string])[0])
    return { ...row, notes: record?.fields.notes ?? null, tags }
  }

  private rowsOf(list: SourceList): Row[] {
    const known = this.lists.get(list.path)
    if (known) return known
    const recorded = new Map(
      this.recordings
        .filter(({ path, status }) => status === 200 && pathOf(path) === `/${list.path}`)
        .flatMap(({ answer }) =>
          isRow(answer) && Array.isArray(answer.results) ? answer.results : Array.isArray(answer) ? answer : [],
        )
        .filter(isRow)
        .map((row) => [row.pk, row]),
    )
    const names = new Set([...recorded.values()].flatMap((row) => Object.keys(row)))
    const { model } = sourceLists.find(({ path, unfold }) => path === list.path && (!unfold || path === 'api/selection/')) ?? list
    const source = list.path === 'api/selection/' ? 'common.selectionlist' : model
    const rows = this.records
      .filter((record) => record.model === source)
      .map((record) => {
        const built = this.toRow(record, names)
        const row = Object.entries(recorded.get(record.pk) ?? {}).filter(([, value]) => value !== '*')
        return { ...built, ...Object.fromEntries(row) }
      })
    this.lists.set(list.path, rows)
    return rows
  }

  /** A record in the form of a response. */
  private toRow({ model, pk, fields }: FixtureRecord, names: ReadonlySet<string>): Row {
    const row: Row = { pk }
    for (const [field, value] of Object.entries(fields)) {
      const name = RENAMED[`${model} ${field}`] ?? field
      if (names.size === 0 || names.has(name)) row[name] = this.toValue(model, name, value)
    }
    if (model === 'common.selectionlist')
      row.choices = this.ofModel('common.selectionlistentry', ({ list }) => list === pk).map((entry) => ({
        ...entry.fields,
        id: entry.pk,
      }))
    if (names.has('profile'))
      row.profile = this.ofModel('users.userprofile', ({ user }) => String(user) === fields.username)[0]?.fields
    if (names.has('owner_model')) row.owner_model = (fields.owner_type as string[])[1]
    return row
  }

  private ofModel = (model: string, isWanted: (fields: Row) => boolean) =>
    this.records.filter((record) => record.model === model && isWanted(record.fields))

  private toValue(model: string, name: string, value: unknown): unknown {
    if (/^(image|attachment|template|asset|snippet)$/.test(name) && typeof value === 'string' && value !== '')
      return `/media/${value}`
    if (!Array.isArray(value)) return value
    if (name === 'groups') return value.map(([group]) => ({ pk: this.keysByName.get(`group ${group}`), name: group }))
    if (name === 'model_type') return value.join('.')
    if (value.length !== 1) return value
    return this.keysByName.get(`${model === 'users.ruleset' ? 'group' : 'user'} ${value[0]}`) ?? value
  }
}

const pathOf = (url: string): string => url.split('?')[0] as string

/** Columns that an API does not show, and those that follow from them. */
const UNAVAILABLE = new Set([
  ...['password', 'date_joined', 'last_login', 'metadata', 'barcode_data', 'barcode_key', 'theme', 'widgets', 'language'],
  ...['bom_checksum', 'bom_checked_by', 'bom_checked_date', 'checksum of part.bomitem'],
  ...['received_by', 'shipped_by', 'completed_by', 'updated_at of order.transferorder'],
  ...['updated of part.partinternalpricebreak', 'updated of part.partsellpricebreak'],
  // the recordings have no texts
  'response of common.barcodescanresult',
  // given by the import
  ...['created of order.salesorderallocation', 'created of build.builditem', 'created of order.transferorderallocation'],
  ...['kind_pk', 'pk of users.userprofile'],
])

/** Times are shown to the minute, and there is no difference between null and empty. */
const normalize = (value: unknown): string =>
  value === null ? '""' : JSON.stringify(value).replace(/^("\d{4}-\d\d-\d\dT\d\d:\d\d).*/, '$1')

async function readRows({ pool }: TestDatabase, kind: RecordKind): Promise<Map<unknown, Row>> {
  const { rows } = await pool.query(`select to_jsonb(t) as row from ${getQuotedTable(kind)} t`)
  // a profile has the key of its account there
  const key = kind.model === 'users.userprofile' ? 'user' : 'pk'
  return new Map(rows.map(({ row }) => [row[key], row]))
}

describe('an import from a recorded InvenTree 1.5', { skip: isAbsent }, () => {
  it('gives the same as the import of its dump, except for what an API does not show', async () => {
    const service = new RecordedService()
    const server = createServer((request, response) => {
      const path = decodeURIComponent(pathOf(request.url as string))
      const file = join(MEDIA, path.slice('/media'.length))
      if (path.startsWith('/media/') && existsSync(file)) return response.end(readFileSync(file))
      const body = service.respond(request.url as string)
      response.writeHead(body === undefined ? 404 : 200).end(JSON.stringify(body ?? {}))
    })
    after(() => server.close())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const serviceUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

    const folder = createFilesFolder().dataDir
    const download = await downloadDump(new Source(serviceUrl, 'a token', 0), folder)
    assert.deepEqual(download.release, { version: '1.5.0 dev', apiVersion: 530 })
    // it keeps them as files
    assert.deepEqual(download.remarks, ['part.partstocktakereport: this release does not list them'])
    assert.deepEqual(download.missingFiles, [])
    const files = (readdirSync(download.media, { recursive: true, withFileTypes: true }) as Dirent[]).filter((entry) =>
      entry.isFile(),
    )
    assert.ok(files.length > 50, `${files.length} files`)
    for (const { parentPath, name } of files) {
      const path = join(parentPath, name)
      assert.ok(readFileSync(path).equals(readFileSync(join(MEDIA, relative(download.media, path)))), path)
    }

    const [ofDump, ofService] = await Promise.all([createTestDatabase(2), createTestDatabase(2)])
    after(() => Promise.all([ofDump.drop(), ofService.drop()]))
    const whole = await importDump(ofDump.pool, DUMP, { skipInvalid: false })
    const report = await importDump(ofService.pool, download.dump, { skipInvalid: false })
    assert.deepEqual(report.problems.describe(), whole.problems.describe())
    const differences: string[] = []
    for (const kind of kinds) {
      // the rows of older kinds are those of newer ones
      if (!sourceLists.some(({ model, newerModel }) => model === kind.model && newerModel === undefined)) continue
      const [expected, actual] = [await readRows(ofDump, kind), await readRows(ofService, kind)]
      for (const key of actual.keys()) if (!expected.has(key)) differences.push(`${kind.model} ${key} is new`)
      for (const [key, row] of expected) {
        const copy = actual.get(key)
        if (!copy) differences.push(`${kind.model} ${key} is missing`)
        else
          for (const [name, value] of Object.entries(row))
            if (
              !UNAVAILABLE.has(name) &&
              !UNAVAILABLE.has(`${name} of ${kind.model}`) &&
              normalize(copy[name]) !== normalize(value)
            )
              differences.push(`${kind.model} ${key} ${name}: ${JSON.stringify(value)} is ${JSON.stringify(copy[name])}`)
      }
    }
    assert.deepEqual(differences, [])

    // a repetition reads what was missing alone
    service.requests = 0
    const again = await downloadDump(new Source(serviceUrl, 'a token', 0), folder)
    assert.equal(again.records, download.records)
    assert.ok(service.requests < 40, `${service.requests} requests`)
  })
})
