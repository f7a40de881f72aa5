import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Services } from '../kit/services/services.ts'
import { Html, html } from '../kit/values/write-html.ts'
import { instanceName } from '../settings/instance-name.ts'

const STYLE = `:root{color-scheme:light dark}
body{font:1rem/1.5 system-ui,sans-serif;max-width:26rem;margin:15vh auto;padding:0 1rem}
label,input,button{display:block;width:100%;box-sizing:border-box;font:inherit}
input,button{padding:.5rem;margin:.25rem 0 1rem}
.wrong{color:light-dark(#a40000,#ff9a8f)}`

/** Restricts a browser to showing the page and submitting its form. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  // the URL contains a secret. Under no-referrer, our own forms would not send their origin either.
  'referrer-policy': 'same-origin',
}

/** Responds with a page, without scripts. */
export function sendPage(services: Services, reply: FastifyReply, status: number, title: string, content: Html): FastifyReply {
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>${new Html(STYLE)}</style></head>
<body><h1>${title}</h1>
${content}
<p><small><a href="/">${instanceName(services)}</a></small></p></body></html>
`
  return reply.code(status).headers(HEADERS).send(page.text)
}

/**
 * Lets the routes of pages read forms, which no other route accepts.
 * @param bodyLimit the maximum size of a form in bytes
 */
export function acceptForms(scope: FastifyInstance, bodyLimit: number): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(body as string))),
  )
}
