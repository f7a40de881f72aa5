import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { action, Bytes, procedure, type Request, view } from '../../../kit/definition/action.ts'
import { createTemporaryFileInput, readAndDelete } from '../../../kit/definition/file.ts'
import type { Shape } from '../../../kit/definition/input.ts'
import { everyone, staff } from '../../../kit/request/caller.ts'
import { invalid, notFound } from '../../../kit/request/problem.ts'
import { encodePicture, InvalidPicture } from '../../../kit/services/pictures.ts'
import { queryThrough, queryWithin } from '../../../kit/sql/run-query.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { recordEvent } from '../../user/security-event/record-event.ts'
import { LOGO_PATH, readLogo, readLogoUrl } from './read-logo.ts'

/** Limits of an uploaded logo, and of the stored one. */
const MAX_LOGO_BYTES = 5 * 1024 * 1024
const MAX_SIDE_PIXELS = 512

const logoResponse = Type.Object({
  logo: Type.Union([Type.String({ format: 'uri-reference' }), Type.Null()], {
    description: 'The URL of the logo, which changes with it; null without one.',
  }),
})

/** The logo of this installation: on sign-in pages, so anyone may read it. */
const getLogo = view({
  path: LOGO_PATH,
  summary: 'Get the logo of this installation',
  description: 'Returns the logo as a PNG. `GET /api/web/instance/` has its current URL.',
  errors: { not_found: 'There is no logo.' },
  example: { status: 404 },
  access: everyone,
  query: { version: 'The version in its URL: a response for the current one can be cached without limit.' },
  files: ['image/png'],
  async read(request) {
    const logo = await readLogo(queryThrough(request))
    if (!logo) throw notFound()
    return new Bytes('image/png', logo.image, {
      'cache-control': request.query.version === logo.version ? 'public, max-age=31536000, immutable' : 'no-cache',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    })
  },
})

/** The picture is decoded and encoded again, so that nothing but pixels is sent to others. */
const setLogo = procedure({
  method: 'POST',
  path: LOGO_PATH,
  summary: 'Set the logo of this installation',
  description: `Replaces the logo: PNG, JPEG, GIF or WebP, at most ${MAX_LOGO_BYTES / 1024 / 1024} MiB. It is stored as a PNG without metadata, at most ${MAX_SIDE_PIXELS} pixels wide and high.`,
  errors: { invalid: 'The file is not a picture of these types, cannot be read, or is too large.' },
  access: staff,
  body: {
    logo: createTemporaryFileInput({
      folder: 'instance_logo',
      extensions: ['png', 'jpg', 'jpeg', 'gif', 'webp'],
      maxBytes: MAX_LOGO_BYTES,
      required: true,
      label: 'Logo',
      help: `The picture: PNG, JPEG, GIF or WebP, at most ${MAX_LOGO_BYTES / 1024 / 1024} MiB.`,
    }),
  },
  example: {
    body: {
      logo: 'data:image/png;name=logo.png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    },
  },
  status: 200,
  response: logoResponse,
  async handle(request) {
    const { caller, database } = request
    const original = await readAndDelete(request, request.body.logo)
    const image = await encodePicture(original, MAX_SIDE_PIXELS, caller.pk).catch((error) => {
      throw error instanceof InvalidPicture ? invalid({ logo: [error.reason] }) : error
    })
    return database.transaction(async (tx) => {
      const digest = createHash('sha256').update(image).digest('hex')
      const query = queryWithin(tx)
      const before = await readLogoUrl(query)
      await tx.query(
        `insert into instance_logo (image, digest) values ($1, $2)
         on conflict (pk) do update set image = excluded.image, digest = excluded.digest, updated = now()`,
        [image, digest],
      )
      const logo = await readLogoUrl(query)
      await recordLogo({ ...request, tx }, before, logo)
      return { logo }
    }, caller.pk)
  },
})

const deleteLogo = action({
  method: 'DELETE',
  path: LOGO_PATH,
  summary: 'Remove the logo of this installation',
  description: 'Removes the logo; without one, nothing changes.',
  access: staff,
  status: 204,
  async run(request) {
    const before = await readLogoUrl(queryWithin(request.tx))
    await request.tx.query('delete from instance_logo')
    if (before) await recordLogo(request, before, null)
  },
})

const recordLogo = (
  request: Pick<Request<Shape>, 'caller' | 'exchange'> & { tx: Tx },
  before: string | null,
  after: string | null,
) =>
  recordEvent(request, {
    kind: 'setting_changed',
    actor: request.caller.pk,
    details: { key: 'LOGO', before: before ?? '', after: after ?? '' },
  })

export const logoActions = [getLogo, setLogo, deleteLogo]
