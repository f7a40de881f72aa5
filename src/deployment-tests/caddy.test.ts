import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { ROOT } from '../paths.ts'
import { childEnvironment } from '../testing/child-environment.ts'
import { readCompose } from '../testing/container/compose.ts'
import {
  buildEnvironment,
  createFolder,
  startDatabase,
  startStockroom,
  stopStockroom,
  VARIABLES,
} from '../testing/container/compose-processes.ts'
import { findFreePort } from '../testing/free-port.ts'
import { scaleTimeout } from '../testing/slowness.ts'
import { waitUntil } from '../testing/until.ts'

const options = { timeout: scaleTimeout(240_000) }
const hasCaddy = spawnSync('caddy', ['version']).status === 0

describe('compose.caddy.yaml', { ...options, skip: hasCaddy ? false : 'caddy is not installed: .ci/image installs it' }, () => {
  it('serves HTTPS, and the service knows it from the address of Caddy', async () => {
    const port = await findFreePort()
    const file = readCompose(['compose.yaml', 'deploy/compose.caddy.yaml'], { ...VARIABLES, SITE_NAME: `localhost:${port}` })
    const { caddy, stockroom } = file.services
    assert.equal(stockroom?.environment.TRUST_PROXY, caddy?.networks?.proxy?.ipv4_address)

    const database = await startDatabase(file)
    const service = await startStockroom(
      buildEnvironment(file, 'stockroom', {
        'database:5432': `127.0.0.1:${database}`,
        '/data': createFolder(),
        '/backups': createFolder(),
        [caddy?.networks?.proxy?.ipv4_address as string]: '127.0.0.1',
      }),
    )
    const folder = createFolder()
    // loopback and unused ports, and no certificate in the store of this machine
    writeFileSync(
      join(folder, 'Caddyfile'),
      `{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n\tdefault_bind 127.0.0.1\n}\nimport ${join(ROOT, 'deploy/Caddyfile')}\n`,
    )
    const server = spawn('caddy', ['run', '--config', join(folder, 'Caddyfile')], {
      env: {
        ...childEnvironment,
        ...buildEnvironment(file, 'caddy', { 'stockroom:8000': new URL(service.url).host }),
        XDG_DATA_HOME: folder,
        XDG_CONFIG_HOME: folder,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    after(() => server.kill('SIGKILL'))
    let log = ''
    server.stderr.on('data', (data) => (log += data))
    await waitUntil(async () => (await getSecurely(port, '/readyz').catch(() => undefined))?.status === 200, log, 60_000)

    assert.match(await signInSecurely(port), /^sessionid=.*; Secure/i)
    await stopStockroom(service)
  })
})

type SecureResponse = { status: number | undefined; headers: Record<string, string | string[] | undefined> }

const getSecurely = (port: number, path: string): Promise<SecureResponse> => sendSecurely(port, 'GET', path)

function sendSecurely(port: number, method: string, path: string, body?: object): Promise<SecureResponse> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        servername: 'localhost',
        // Caddy made the authority of this certificate for the test
        rejectUnauthorized: false,
        method,
        path,
        headers: {
          host: `localhost:${port}`,
          ...(body ? { 'content-type': 'application/json', origin: `https://localhost:${port}` } : {}),
        },
      },
      (response) => {
        response.resume()
        response.on('end', () => resolve({ status: response.statusCode, headers: response.headers }))
      },
    )
    sent.on('error', reject)
    sent.end(body && JSON.stringify(body))
  })
}

/** Signs in, and returns the cookie of the session. */
async function signInSecurely(port: number): Promise<string> {
  const { status, headers } = await sendSecurely(port, 'POST', '/api/auth/login/', {
    username: VARIABLES.ADMIN_USERNAME,
    password: VARIABLES.ADMIN_PASSWORD,
  })
  assert.equal(status, 200)
  return [headers['set-cookie']].flat().join()
}
