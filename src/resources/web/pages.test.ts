import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { pino } from 'pino'
import { buildApp } from '../../app.ts'
import { isObject } from '../../kit/values/json.ts'
import { startDemoWorkshop } from '../../testing/objects/demo-workshop.ts'
import { WEB_PAGES } from '../../web-pages.ts'
import { readWire } from '../../wire.ts'
import { kinds } from '../barcode/kinds.ts'
import { OWNER, PASSWORD } from './demo/demo-accounts.ts'

const { app, config, pool, databaseUrl } = await startDemoWorkshop(false)
const inventreeApp = await buildApp({
  config: { ...config, wire: readWire('inventree') },
  pool,
  databaseUrl,
  runsBackgroundWork: false,
  log: pino({ level: 'silent' }),
})
after(() => inventreeApp.close())

const authorization = `Basic ${Buffer.from(`${OWNER}:${PASSWORD}`).toString('base64')}`
const forms = { specification: app, inventree: inventreeApp }

/** Response fields that contain page URLs. */
const URL_FIELDS = new Set(['web_url', 'url', 'link', 'get_absolute_url'])
/** Other URL paths of the site: the API, files, plugins. */
const NON_PAGE_PATH = /^\/(api|media|static|plugin|api-doc)\//

/** Collects all page URLs in a response, at any depth. */
function collectPages(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(collectPages)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, entry]) =>
    URL_FIELDS.has(name) && typeof entry === 'string' && entry.startsWith('/') && !NON_PAGE_PATH.test(entry)
      ? [entry]
      : collectPages(entry),
  )
}

/** Returns the URL of the object that a page shows. */
function findObjectUrl(page: string): string | undefined {
  const [, base = '', pk] = /^(\/.*\/)(\d+)\/$/.exec(page) ?? []
  const [path] = Object.entries(WEB_PAGES).find(([, pageBase]) => pageBase === base) ?? []
  return path && `${path}${pk}/`
}

for (const [form, service] of Object.entries(forms)) {
  const get = async (url: string) => service.inject({ url, headers: { authorization } })

  describe(`pages that responses link to, WIRE_FORM=${form}`, () => {
    it('are all in the table, and each shows an existing object', async () => {
      const pages = new Set<string>()
      for (const { method, path, kind, example } of service.routes.operations) {
        if (method !== 'GET' || (path.includes('{') && !example?.params)) continue
        const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(example?.params?.[name])))
        if (kind === undefined && /print|logout|barcode\/generate|\/user\/token\//.test(path)) continue
        const flags = kind === 'list' ? '?limit=50&part_detail=true&path_detail=true&user_detail=true' : ''
        const { payload, headers } = await get(`${url}${flags}`)
        if (String(headers['content-type']).includes('json') && payload)
          for (const page of collectPages(JSON.parse(payload))) pages.add(page)
      }
      const bases = new Set<string>()
      for (const page of pages) {
        const object = findObjectUrl(page)
        assert.ok(object, `${page} is not a page of the table`)
        assert.equal((await get(object)).statusCode, 200, page)
        bases.add(page.replace(/\d+\/$/, ''))
      }
      // company, category, supplier part, build order, location; and orders and parts, which notifications link to
      assert.ok(bases.size >= 7, [...bases].join(' '))
    })

    it('are in the table for every kind of object that a scan can resolve', async () => {
      for (const { key, resource } of kinds) {
        const [row] = (await get(`${resource.path}?limit=1`)).json().results
        const { json, statusCode } = await service.inject({
          method: 'POST',
          url: '/api/barcode/',
          headers: { authorization },
          payload: { barcode: JSON.stringify({ [key]: row.pk }) },
        })
        assert.ok(statusCode < 300)
        const { web_url, api_url } = json()[key]
        assert.equal(api_url, `${resource.path}${row.pk}/`)
        // web interfaces have no pages of these
        if (['manufacturerpart', 'salesordershipment'].includes(key)) assert.equal(web_url, undefined)
        else assert.equal(findObjectUrl(web_url), api_url)
      }
    })
  })
}
