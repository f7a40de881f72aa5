import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { getTableName } from 'drizzle-orm'
import { importDump } from '../importing/import.ts'
import type { Operation } from '../kit/http/operation.ts'
import type { FileIndex } from '../kit/reading/stored-files.ts'
import { getStoredTable } from '../kit/sql/sql.ts'
import { ROOT } from '../paths.ts'
import { testService } from '../testing/service.ts'
import { SPECIFICATION_WIRE } from '../wire.ts'
import { CALLERS, createCallersTable } from './callers.ts'
import { resources } from './index.ts'

const service = await testService()
const { operations } = service.app.routes
const resourcesDir = join(ROOT, 'src/resources')
const shared = join(resourcesDir, '../../../shared')

describe('the layout of resources', () => {
  it('puts each definition in the folder of its URL', () => {
    for (const file of globSync('**/*.{resource,action,view}.ts', { cwd: resourcesDir })) {
      const text = readFileSync(join(resourcesDir, file), 'utf8')
      const paths = [...text.matchAll(/path(?::|\s=) ['"`](\/api\/[^'"`]*)/g)].map((match) => match[1] as string)
      const folder = dirname(file) === '.' ? '' : `${dirname(file)}/`
      for (const path of paths) {
        const plain = path.replace('/api/', '').replaceAll(/\{\w+\}\//g, '')
        assert.ok(plain.startsWith(folder) || folder.startsWith(plain), `${path} is defined in ${file}`)
      }
    }
  })

  it('keeps every URL within /api/ and ends it with a slash, except a few that clients of InvenTree expect', () => {
    for (const { path } of operations)
      assert.match(path, /^\/api\/(([\w{}-]+\/)*|version-text|order\/calendar\/[\w-]+\/calendar\.ics)$/)
  })

  it('returns 404 for an invalid key, for every method and caller, without shadowing other URLs', async () => {
    const operationPaths = new Set(operations.map(({ path }) => path))
    // URLs that take another key, too
    const named = resources.filter(({ keyColumn }) => keyColumn).map(({ path }) => `${path}{id}/`)
    const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']
    for (const path of operationPaths) {
      if (path.includes('{id}') && !named.some((start) => path.startsWith(start))) {
        const invalidPath = path.replaceAll('{id}', 'abc').replaceAll(/\{\w+\}/g, 'x')
        for (const method of methods)
          for (const caller of ['superuser', 'anonymous'] as const)
            assert.equal((await service[caller].send(method, invalidPath)).status, 404, `${caller}: ${method} ${invalidPath}`)
      }
      if (path.includes('{')) continue
      const own = operations.filter((operation) => operation.path === path).map(({ method }) => method)
      const { status, headers } = await service.superuser.send('OPTIONS', path)
      assert.equal(status, 200, path)
      assert.deepEqual(
        String(headers.allow)
          .split(', ')
          .filter((name) => name !== 'HEAD' && name !== 'OPTIONS'),
        own,
        path,
      )
    }
  })

  it('registers every definition', () => {
    const offered = new Set(operations.map(({ path }) => path))
    for (const file of globSync('**/*.{resource,action,view}.ts', { cwd: resourcesDir })) {
      const text = readFileSync(join(resourcesDir, file), 'utf8')
      for (const [, path] of text.matchAll(/\bpath: ['"](\/api\/[^'"]*)['"]/g))
        assert.ok(offered.has(path as string), `${path} of ${file}`)
    }
  })

  it('reads every switch for existing clients', () => {
    const files = globSync('**/*.ts', { cwd: join(resourcesDir, '..'), exclude: ['**/*.test.ts', 'wire.ts'] })
    const text = files.map((file) => readFileSync(join(resourcesDir, '..', file), 'utf8')).join('\n')
    for (const name of Object.keys(SPECIFICATION_WIRE)) assert.match(text, new RegExp(`\\b${name}\\b`))
  })

  it('records changes of every table behind a list', async () => {
    const watched = new Set(
      (await service.rows(`select tgrelid::regclass::text as name from pg_trigger where tgname = 'count_change_update'`)).map(
        ({ name }) => name,
      ),
    )
    for (const { table, path } of resources) assert.ok(watched.has(getTableName(getStoredTable(table))), path)
  })

  it('gives every column of stored files discard triggers, an index, and a folder of its own or one shared with files of the same access', async () => {
    const { columns } = service.app.routes.services.storedFiles as FileIndex
    for (const { table: tableOrView, column, folder, access, rows } of columns) {
      const table = getStoredTable(tableOrView)
      const name = `${getTableName(table)}.${column.name}`
      const [{ triggers }] = await service.rows(
        `select count(*)::integer as triggers from pg_trigger where tgrelid = $1::regclass and tgname in ('discard_file', 'discard_replaced_file')
          and encode(tgargs, 'escape') = $2 || E'\\\\000'`,
        // a view of label templates has another name for it
        [getTableName(table), table !== tableOrView && column.name === 'label' ? 'template' : column.name],
      )
      assert.equal(triggers, 2, `${name}: its migration must call keep_files('${getTableName(table)}', '${column.name}')`)
      for (const other of columns.filter((one) => `${one.folder}/`.startsWith(`${folder}/`)))
        assert.deepEqual([other.folder, other.access.words('view'), other.rows], [folder, access.words('view'), rows], folder)
      // there are few templates
      if (/label|report/.test(getTableName(table))) continue
      const indexes = await service.rows('select indexdef from pg_indexes where tablename = $1', [getTableName(table)])
      assert.ok(
        indexes.some(({ indexdef }) => indexdef.includes(`(${column.name})`)),
        `${name} has no index`,
      )
    }
  })
})

describe('access rights', () => {
  /** Operations open to everyone (docs/decisions.md#access-permissions). */
  const OPEN_OPERATIONS =
    /^(GET \/api\/|GET \/api\/auth\/providers\/|GET \/api\/auth\/social\/\{provider\}\/(login|callback)\/|(GET|POST) \/api\/auth\/logout\/|POST \/api\/auth\/(login|registration|registration\/(verify|resend)-email|password\/reset|password\/reset\/confirm)\/|POST \/api\/email\/generate\/|GET \/api\/email\/login\/|POST \/api\/user\/invitation\/(check|accept)\/|GET \/api\/flags\/(\{key\}\/)?|GET \/api\/(icons|system\/health)\/|GET \/api\/web\/(first-account|instance|logo)\/|(GET|PUT) \/api\/web\/ui_preference\/|POST \/api\/webhook\/\{endpoint\}\/)$/
  /** Operations on an account's own data, restricted to it. */
  const OWN_DATA_OPERATIONS = new RegExp(
    `${OPEN_OPERATIONS.source}|^[A-Z]+ /api/(auth/(confirm|emails|mfa|password/change|social|user)|data-output|importer|settings/(user|notification)|notifications|plugins/\\{plugin\\}/user-settings|print-job|user/(me|profile|tokens|session)|web/view)/`,
  )
  /** Actions of plugins on behalf of the caller, with the caller's permissions. */
  const PLUGIN_OPERATIONS = new Set(['POST /api/action/', 'POST /api/locate/'])
  /** Operations that read lists, each of which requires its own permissions. */
  const LIST_OPERATIONS = new Set(['POST /api/search/', 'POST /api/web/read/'])
  /** Operations on barcodes, which require permissions to the linked object. */
  const BARCODE_OPERATIONS = new Set([
    'POST /api/barcode/',
    'POST /api/barcode/batch/',
    'POST /api/barcode/generate/',
    'POST /api/barcode/history/{id}/undo/',
    'POST /api/barcode/link/',
    'POST /api/barcode/unlink/',
  ])
  /** Operations on an object that the request names, which require permissions for it. */
  const NAMED_OBJECT_OPERATIONS = /^((PUT|PATCH) \/api\/metadata\/|POST \/api\/(label|report)\/print\/)/
  /** Operations that change nothing. */
  const UNCHANGING_OPERATIONS = /^POST \/api\/generate\//
  /** Operations whose access also depends on the object. */
  const OBJECT_DEPENDENT_OPERATIONS = new Set<string>([])
  const createTestPath = ({ path }: Pick<Operation, 'path'>) =>
    path.replaceAll('{id}', '99999999').replaceAll(/\{\w+\}/g, 'NONSENSE')

  /** Whether an operation must run last: an account that deletes itself sends no requests afterwards. */
  const isLast = (name: string) => name === 'DELETE /api/user/me/'

  it('match the table of callers for every operation and caller', async () => {
    const freshService = await testService()
    const sortedOperations = Object.entries(createCallersTable(operations)).toSorted(
      ([one], [other]) => +isLast(one) - +isLast(other),
    )
    for (const [name, allowedCallers] of sortedOperations) {
      const [method, path] = name.split(' ') as [string, string]
      for (const caller of CALLERS) {
        const { status } = await freshService[caller].send(method, createTestPath({ path }), method === 'GET' ? undefined : {})
        const expected = allowedCallers.includes(caller) ? 'let in' : caller === 'anonymous' ? 401 : 403
        const isRejected = status === 401 || status === 403
        // callers with general access may be rejected for this object, or for themselves
        if (expected === 'let in' && status === 403 && OBJECT_DEPENDENT_OPERATIONS.has(name)) continue
        assert.equal(isRejected ? status : 'let in', expected, `${caller}: ${name}`)
      }
    }
  })

  it('let anonymous callers use only open operations', () => {
    const open = Object.entries(createCallersTable(operations)).filter(([, allowedCallers]) =>
      allowedCallers.includes('anonymous'),
    )
    for (const [name] of open) assert.match(name, OPEN_OPERATIONS, name)
  })

  it('let an account without a role change only its own data', () => {
    for (const [name, allowedCallers] of Object.entries(createCallersTable(operations))) {
      if (name.startsWith('GET ') || LIST_OPERATIONS.has(name) || PLUGIN_OPERATIONS.has(name) || BARCODE_OPERATIONS.has(name))
        continue
      if (NAMED_OBJECT_OPERATIONS.test(name) || UNCHANGING_OPERATIONS.test(name)) continue
      if (allowedCallers.includes('nobody')) assert.match(name, OWN_DATA_OPERATIONS, name)
    }
  })

  it('are the same for the demo accounts as in InvenTree', { skip: !existsSync(shared) }, async () => {
    const demo = await testService({ WIRE_FORM: 'inventree' })
    await demo.pool.query('truncate user_account, user_group cascade')
    await importDump(demo.pool, join(shared, 'data/inventree-demo.json'), { skipInvalid: false })
    const passwords = { reader: 'readonly', engineer: 'partsonly', allaccess: 'nolimits' }
    const recorded = JSON.parse(readFileSync(join(shared, 'reference/transcripts/callers.json'), 'utf8')) as Record<
      string,
      Record<string, number>
    >
    const differences = JSON.parse(readFileSync(join(resourcesDir, '../../docs/differences.json'), 'utf8')) as { where: string }[]
    const classifyStatus = (status: number) => (status === 401 || status === 403 ? status : 'let through')
    const formatName = ({ method, path }: Operation) => `${method} ${path}`
    const sortedOperations = demo.app.routes.operations.toSorted(
      (one, other) => +isLast(formatName(one)) - +isLast(formatName(other)),
    )
    for (const operation of sortedOperations) {
      const name = formatName(operation)
      const expected = recorded[name]
      if (!expected || differences.some(({ where }) => new RegExp(where).test(`callers ${name}`))) continue
      const statuses = Object.values(expected)
      if (statuses.every((status) => status === 404)) continue
      for (const [account, password] of [['anonymous', ''], ...Object.entries(passwords)] as [string, string][]) {
        const status = expected[account] as number
        if (status >= 500) continue
        const headers: Record<string, string> =
          account === 'anonymous' ? {} : { authorization: `Basic ${btoa(`${account}:${password}`)}` }
        const response = await demo.anonymous.send(
          operation.method,
          createTestPath(operation),
          operation.method === 'GET' ? undefined : {},
          headers,
        )
        assert.equal(classifyStatus(response.status), classifyStatus(status), `${account}: ${name}`)
      }
    }
  })
})
