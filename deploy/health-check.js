import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'

// The health check of the container image: succeeds while the service in this container is ready. It reads the same variables.

const { HOST, PORT, TLS, TLS_CERT } = process.env
const isSecure = Boolean(TLS_CERT) || TLS === 'self-signed'
const host = !HOST || HOST === '0.0.0.0' ? '127.0.0.1' : HOST === '::' ? '::1' : HOST
const request = isSecure ? requestHttps : requestHttp

/** @param {string} text */
function fail(text) {
  console.error(text)
  process.exit(1)
}

request({
  host,
  port: PORT || 8000,
  path: '/readyz',
  timeout: 4_000,
  // the certificate is for the names that clients use
  rejectUnauthorized: false,
})
  .on('response', ({ statusCode }) => {
    if (statusCode === 200) process.exit(0)
    fail(`/readyz responded with ${statusCode}`)
  })
  .on('timeout', () => fail('/readyz did not respond in time'))
  .on('error', ({ message }) => fail(message))
  .end()
