import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { MediaFolder } from '../../kit/services/files.ts'
import { OperatorError } from '../../operator-error.ts'
import { ROOT } from '../../paths.ts'
import { OWNER, PASSWORD } from '../../resources/web/demo/demo-accounts.ts'
import { childEnvironment } from '../../testing/child-environment.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { createFilesFolder } from '../../testing/files.ts'
import { startDemoWorkshop } from '../../testing/objects/demo-workshop.ts'
import { importDump } from '../import.ts'
import { getQuotedTable, kinds } from '../loading/kinds.ts'
import { downloadDump } from './download.ts'
import { sourceLists } from './lists.ts'
import { Source } from './source.ts'

const { app, pool } = await startDemoWorkshop(false)
const serviceUrl = await app.listen({ port: 0, host: '127.0.0.1' })
const headers = { authorization: `Basic ${Buffer.from(`${OWNER}:${PASSWORD}`).toString('base64')}` }
const { token } = (await app.inject({ url: '/api/user/token/', headers })).json() as { token: string }

const createFolder = (): string => createFilesFolder().dataDir

/** Forwards requests to the demo workshop, unless the function responds itself. */
async function startProxy(respond: (request: IncomingMessage, response: ServerResponse) => boolean): Promise<string> {
  const server = createServer(async (request, response) => {
    if (respond(request, response)) return
    const { statusCode, rawPayload } = await app.inject({
      url: request.url as string,
      headers: { authorization: request.headers.authorization },
    })
    response.writeHead(statusCode).end(rawPayload)
  })
  after(() => server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Columns that no list returns, or that a new database has its own values of. */
const UNAVAILABLE_COLUMNS = new Set([
  ...['password', 'date_joined', 'last_login', 'metadata', 'barcode_data', 'barcode_key', 'updated', 'scheduled_for_update'],
  ...['bom_checksum', 'bom_checked_by', 'bom_checked_date', 'checksum'],
  ...['parent of stock.stockitem', 'issue_date of order.returnorder', 'complete_date of order.returnorder', 'created'],
  ...['date of stock.stockitemtestresult', 'filename', 'kind_pk'],
  // to the second
  ...['updated_at', 'last_updated', 'creation_date of stock.stockitem'],
  // derived from the quantity and the history
  ...['opening_quantity', 'quantity_change'],
  // InvenTree has none of them
  ...['action', 'status', 'objects', 'undo'].map((name) => `${name} of common.barcodescanresult`),
  ...['created_by', 'received_by', 'shipped_by', 'completed_by', 'stocktake_user', 'activated_by'],
])

const isUnavailable = (model: string, column: string) =>
  UNAVAILABLE_COLUMNS.has(column) || UNAVAILABLE_COLUMNS.has(`${column} of ${model}`)

async function readRows(database: typeof pool, table: string) {
  const { rows } = await database.query(`select pk, to_jsonb(t) as row from ${table} t order by pk`)
  return rows as { pk: number; row: Record<string, unknown> }[]
}

describe('an import from a running service', () => {
  it('loads the objects, the files and the settings that the service has', async () => {
    const folder = createFolder()
    const download = await downloadDump(new Source(serviceUrl, token), folder)
    assert.deepEqual([download.release.apiVersion, download.remarks, download.missingFiles], [196, [], []])
    const target = await createTestDatabase()
    after(() => target.drop())
    const mediaFolder = createFolder()
    const files = new MediaFolder(mediaFolder)
    const report = await importDump(target.pool, download.dump, {
      skipInvalid: false,
      media: { sourceFolder: download.media, files },
    })
    assert.deepEqual(report.problems.describe(), [])
    assert.deepEqual(report.media.missing, [])
    const differences: string[] = []
    for (const kind of kinds.filter(({ model }) =>
      sourceLists.some((list) => list.model === model && list.newerModel === undefined),
    )) {
      const table = getQuotedTable(kind)
      const stored = new Map((await readRows(target.pool, table)).map(({ pk, row }) => [pk, row]))
      for (const { pk, row } of await readRows(pool, table)) {
        const copy = stored.get(pk)
        if (!copy) differences.push(`${kind.model} ${pk} is missing`)
        else
          for (const [name, value] of Object.entries(row))
            if (!isUnavailable(kind.model, name) && JSON.stringify(copy[name]) !== JSON.stringify(value))
              differences.push(`${kind.model} ${pk} ${name}: ${JSON.stringify(value)} is ${JSON.stringify(copy[name])}`)
      }
    }
    assert.deepEqual(differences, [])
  })
})

/** Responds to a request with a status, and with a body if there is one. */
const send = (response: ServerResponse, status: number, body: unknown = {}) =>
  response.writeHead(status).end(JSON.stringify(body))
const readDump = ({ dump }: { dump: string }) => JSON.parse(readFileSync(dump, 'utf8')) as { model?: string; pk?: number }[]

describe('a download', () => {
  it('continues after an interruption where it stopped, and has each record once', async () => {
    const whole = await downloadDump(new Source(serviceUrl, token), createFolder())
    let requests = 0
    let limit = 40
    const proxy = await startProxy((request, response) => {
      if (request.url === '/api/' || ++requests <= limit) return false
      send(response, 503)
      return true
    })
    const folder = createFolder()
    await assert.rejects(downloadDump(new Source(proxy, token, 0), folder), /status 503/)
    limit = Number.POSITIVE_INFINITY
    requests = 0
    const rest = await downloadDump(new Source(proxy, token, 0), folder)
    const restRequests = requests
    assert.deepEqual(readDump(rest), readDump(whole))
    await downloadDump(new Source(proxy, token, 0), createFolder())
    assert.ok(restRequests <= requests - restRequests - 40, `${restRequests} requests after the interruption`)
  })

  it('repeats requests that fail for a moment, and connections that break', async () => {
    const failedUrls = new Set<string>()
    const proxy = await startProxy((request, response) => {
      const url = request.url as string
      if (failedUrls.has(url)) return false
      failedUrls.add(url)
      if (failedUrls.size % 2 === 0) response.destroy()
      else send(response, 502)
      return true
    })
    const download = await downloadDump(new Source(proxy, token, 0), createFolder())
    assert.deepEqual(download.missingFiles, [])
    assert.deepEqual(readDump(download), readDump(await downloadDump(new Source(serviceUrl, token), createFolder())))
  })

  it('reads a list again if rows moved between its pages', async () => {
    const rows = Array.from({ length: 400 }, (_, index) => ({ pk: index + 1, name: `group ${index + 1}` }))
    let isMoved = false
    const proxy = await startProxy((request, response) => {
      const url = new URL(request.url as string, 'http://localhost')
      if (url.pathname !== '/api/user/group/') return false
      const [offset, limit] = [Number(url.searchParams.get('offset')), Number(url.searchParams.get('limit'))]
      // the first row left after the first page was read, so that the second one begins a row too late
      const shift = offset > 0 && !isMoved ? 1 : 0
      isMoved ||= offset > 0
      send(response, 200, { count: rows.length - shift, results: rows.slice(offset + shift, offset + shift + limit) })
      return true
    })
    const download = await downloadDump(new Source(proxy, token, 0), createFolder())
    const groups = readDump(download).filter(({ model }) => model === 'auth.group')
    assert.deepEqual(
      groups.map(({ pk }) => pk).toSorted((one, other) => (one as number) - (other as number)),
      rows.map(({ pk }) => pk),
    )
  })

  it('adds notes and tags from the details, where a list has none of them', async () => {
    const proxy = await startProxy((request, response) => {
      const url = request.url as string
      if (url.startsWith('/api/part/?')) send(response, 200, { count: 1, results: [{ pk: 7, name: 'Spruce board' }] })
      else if (url === '/api/part/7/?tags=true') send(response, 200, { pk: 7, notes: 'Keep dry', tags: ['wood'] })
      else return false
      return true
    })
    const download = await downloadDump(new Source(proxy, token, 0), createFolder())
    assert.deepEqual(
      readDump(download).filter(({ model }) => model === 'part.part'),
      [{ model: 'part.part', pk: 7, fields: { name: 'Spruce board', notes: 'Keep dry', tags: ['wood'] } }],
    )
  })

  it('names lists that the service does not have or the account may not see, and files that are missing', async () => {
    const proxy = await startProxy((request, response) => {
      const url = request.url as string
      if (url.startsWith('/api/user/ruleset/')) send(response, 404)
      else if (url.startsWith('/api/order/ro/?')) send(response, 403)
      else if (url.startsWith('/media/part_files/')) send(response, 404)
      else return false
      return true
    })
    const { remarks, missingFiles } = await downloadDump(new Source(proxy, token, 0), createFolder())
    assert.deepEqual(remarks, [
      'users.ruleset: this release does not list them',
      'order.returnorder: the account of the token may not see them',
    ])
    assert.equal(missingFiles.length, 1)
    assert.match(missingFiles[0] as string, /^part_files\/.*status 404$/)
  })

  it('reads lists again, when it is repeated, that were forbidden, missing or changing, and no others', async () => {
    let isTroubled = true
    const paths: string[] = []
    const rows = Array.from({ length: 5 }, (_, index) => ({ pk: index + 1, code: `code ${index + 1}` }))
    const proxy = await startProxy((request, response) => {
      const url = request.url as string
      paths.push(url.split('?')[0] as string)
      if (url.startsWith('/api/project-code/?')) {
        // one row is never on a page, and the first one is deleted later
        const results = isTroubled ? rows.slice(0, 4) : rows.slice(1)
        send(response, 200, { count: isTroubled ? 5 : 4, results })
      } else if (isTroubled && url.startsWith('/api/order/ro/?')) send(response, 403)
      else if (isTroubled && url.startsWith('/api/user/ruleset/?')) send(response, 404)
      else return false
      return true
    })
    const folder = createFolder()
    const first = await downloadDump(new Source(proxy, token, 0), folder)
    assert.deepEqual(
      first.remarks.map((remark) => remark.split(':')[0]),
      ['users.ruleset', 'common.projectcode', 'order.returnorder'],
    )
    isTroubled = false
    paths.length = 0
    const second = await downloadDump(new Source(proxy, token, 0), folder)
    assert.deepEqual(second.remarks, [])
    // lists of models that this release does not have are missing again
    const lists = new Set(paths.filter((path) => !/\/\d+\/$/.test(path)))
    for (const path of ['/api/project-code/', '/api/order/ro/', '/api/user/ruleset/']) assert.ok(lists.has(path), path)
    for (const path of ['/api/part/', '/api/stock/', '/api/company/']) assert.ok(!lists.has(path), path)
    const dump = readDump(second)
    assert.deepEqual(
      dump.filter(({ model }) => model === 'common.projectcode').map(({ pk }) => pk),
      [2, 3, 4, 5],
    )
    assert.ok(dump.some(({ model }) => model === 'order.returnorder'))
    assert.equal(new Set(dump.map(({ model, pk }) => `${model} ${pk}`)).size, dump.length)
  })

  it('sends the token to that service alone, and stores no file outside of its folder', async () => {
    const seen: (string | undefined)[] = []
    const other = await startProxy((request, response) => {
      seen.push(request.headers.authorization)
      send(response, 200)
      return true
    })
    const proxy = await startProxy((request, response) => {
      if (!request.url?.startsWith('/api/company/?')) return false
      const images = [`${other}/bucket/company_images/a.png`, '/media/../../../escape.png', '/media/%2e%2e/%2e%2e/escape.png']
      const results = images.map((image, index) => ({ pk: index + 1, name: `${index}`, notes: null, tags: [], image }))
      send(response, 200, { count: results.length, results })
      return true
    })
    const folder = createFolder()
    await downloadDump(new Source(proxy, token, 0), join(folder, 'of', 'the', 'service'))
    assert.deepEqual(seen, [undefined])
    assert.ok(!existsSync(join(folder, 'escape.png')) && !existsSync(join(folder, 'of', 'escape.png')))
    assert.ok(existsSync(join(folder, 'of/the/service/media/bucket/company_images/a.png')))
  })

  it('rejects a wrong token, another program, an older release, and the folder of another service', async () => {
    const isRejected = (source: Source, message: RegExp, folder = createFolder()) =>
      assert.rejects(downloadDump(source, folder), (error) => error instanceof OperatorError && message.test(error.message))
    await isRejected(new Source(serviceUrl, 'wrong'), /does not accept the token/)
    const roots = [[], { version: '1' }, { apiVersion: 195, version: '0.14.0' }]
    const [list, nameless, old] = (await Promise.all(
      roots.map((root) =>
        startProxy((_, response) => {
          send(response, 200, root)
          return true
        }),
      ),
    )) as [string, string, string]
    await isRejected(new Source(list, token), /names no apiVersion/)
    await isRejected(new Source(nameless, token), /names no apiVersion/)
    await isRejected(new Source(old, token), /API 195; at least 196/)
    assert.throws(() => new Source('ftp://localhost', token), OperatorError)
    const folder = createFolder()
    await downloadDump(new Source(serviceUrl, token), folder)
    const proxy = await startProxy(() => false)
    await isRejected(new Source(proxy, token), /holds the download of/, folder)
  })
})

describe('stockroom import --from', () => {
  it('says what an API cannot give before it asks for anything', async () => {
    const requests: string[] = []
    const proxy = await startProxy((request, response) => {
      requests.push(request.url as string)
      send(response, 401)
      return true
    })
    const words = [join(ROOT, 'src/stockroom.js'), 'import', '--from', proxy, '--token', 'wrong']
    const env = { ...childEnvironment, DATA_DIR: createFolder(), LOG_LEVEL: 'warn' }
    const { stdout, stderr, code } = await promisify(execFile)(process.execPath, words, { env }).then(
      () => assert.fail('it accepted the token'),
      (error: { stdout: string; stderr: string; code: number }) => error,
    )
    assert.equal(code, 1)
    assert.match(stdout, /^An import from a running service has everything that a dump has, except for:\n- passwords: /)
    for (const word of ['tokens', 'second factors', 'history of deleted items']) assert.ok(stdout.includes(word), word)
    assert.equal(stderr, `stockroom: ${proxy}/ does not accept the token\n`)
    assert.deepEqual(requests, ['/api/'])
  })
})
