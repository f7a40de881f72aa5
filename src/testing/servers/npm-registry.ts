import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo, Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after } from 'node:test'
import { Header, Pack, ReadEntry } from 'tar'

/** Files of a package by their paths in it. */
export type PackageFiles = Readonly<Record<string, string>>

export type NpmRegistry = {
  /** Its URL, with a trailing slash. */
  url: string
  /** Credentials for reading packages of the scope `@closed`. */
  account: { username: string; password: string }
  /** Publishes the package in a tarball; `tag` is the tag of this version. */
  publish(tarball: Buffer, tag?: string): Promise<void>
}

/** Starts an npm registry on this machine without an upstream. It ends with the test file. */
export async function startNpmRegistry(): Promise<NpmRegistry> {
  const { runServer } = await import('verdaccio')
  const folder = mkdtempSync(join(tmpdir(), 'stockroom-registry-'))
  const account = { username: 'buyer', password: 'pass of the registry' }
  const hash = createHash('sha1').update(account.password).digest('base64')
  writeFileSync(join(folder, 'htpasswd'), `${account.username}:{SHA}${hash}\n`)
  const app = await runServer({
    storage: join(folder, 'storage'),
    self_path: folder,
    auth: { htpasswd: { file: join(folder, 'htpasswd'), max_users: -1 } },
    uplinks: {},
    packages: {
      '@closed/*': { access: '$authenticated', publish: '$all' },
      '**': { access: '$all', publish: '$all' },
    },
    web: { enable: false },
    log: { type: 'stdout', format: 'json', level: 'fatal' },
  } as never)
  const server: Server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  after(() => {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return { url, account, publish: (tarball, tag = 'latest') => publish(url, tarball, tag) }
}

async function publish(url: string, tarball: Buffer, tag: string): Promise<void> {
  const manifest = manifests.get(tarball) as { name: string; version: string }
  const { name, version } = manifest
  const file = `${name}-${version}.tgz`
  const response = await fetch(new URL(name.replace('/', '%2f'), url), {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      _id: name,
      name,
      'dist-tags': { [tag]: version },
      versions: {
        [version]: {
          ...manifest,
          _id: `${name}@${version}`,
          dist: {
            shasum: createHash('sha1').update(tarball).digest('hex'),
            integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
            tarball: new URL(`${name}/-/${file}`, url).href,
          },
        },
      },
      _attachments: {
        [file]: { content_type: 'application/octet-stream', data: tarball.toString('base64'), length: tarball.length },
      },
    }),
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
}

/** The package.json of each tarball. */
const manifests = new WeakMap<Buffer, object>()

/** Packs the files of a package like npm. */
export async function packFiles(files: PackageFiles): Promise<Buffer> {
  const pack = new Pack({ gzip: true, portable: true })
  for (const [path, text] of Object.entries(files)) {
    const body = Buffer.from(text)
    const header = new Header({ path: `package/${path}`, type: 'File', size: body.length, mode: 0o644 })
    const entry = new ReadEntry(header)
    entry.end(body)
    pack.add(entry)
  }
  pack.end()
  const tarball = Buffer.concat(await Readable.from(pack as never).toArray())
  manifests.set(tarball, JSON.parse(files['package.json'] as string))
  return tarball
}

/** Returns the files of a package that is a plugin. */
export function createPluginPackage(
  options: { name?: string; slug?: string; version?: string; head?: object; body?: string } = {},
): PackageFiles {
  const { name = 'stockroom-sample', slug = 'sample', version = '1.0.0', head: manifest = {}, body = '' } = options
  return {
    'package.json': JSON.stringify({
      name,
      version,
      type: 'module',
      main: 'index.js',
      peerDependencies: { '@stockroom-inventory/plugin': '*' },
      ...manifest,
    }),
    'index.js': `import { definePlugin } from '@stockroom-inventory/plugin'\n${body}\nexport default definePlugin({ slug: '${slug}', name: 'Sample', version: '${version}', description: 'version ${version}' })\n`,
  }
}
