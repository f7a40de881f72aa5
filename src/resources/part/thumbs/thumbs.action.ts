import { Type } from 'typebox'
import { action, type Request, view } from '../../../kit/definition/action.ts'
import { buildFileUrlSql } from '../../../kit/definition/file.ts'
import type { Shape } from '../../../kit/definition/input.ts'
import { createPictureInput } from '../../../kit/definition/media.ts'
import { envelopeSchema } from '../../../kit/definition/resource.ts'
import { buildPageLinks } from '../../../kit/http/http.ts'
import { readWindow } from '../../../kit/reading/list.ts'
import { readSearch } from '../../../kit/reading/search.ts'
import { roles } from '../../../kit/request/caller.ts'
import { invalid, notFound } from '../../../kit/request/problem.ts'
import { queryThrough, queryWithin } from '../../../kit/sql/run-query.ts'
import { Parameters, Scope } from '../../../kit/sql/sql.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { valueErrors } from '../../../kit/values/value-errors.ts'
import { toWriteRequest, update } from '../../../kit/writing/write.ts'
import { PART_IMAGES, part } from '../part.resource.ts'
import { part as table } from '../part.table.ts'

const access = roles('part')

const imageSchema = Type.String({ format: 'uri-reference', description: 'The URL of the image.' })

/**
 * Images of parts, with the number of parts per image, for forms to choose from. Existing clients get no envelope, and the path of each
 * image below the media folder, to which they prepend `/media/`.
 */
export const listThumbs = view({
  path: '/api/part/thumbs/',
  summary: 'List the images of parts',
  description:
    'Returns all images of parts with the number of parts that use them, the most used first. To use one for another part, set `existing_image` to its file name; everything up to the last / is ignored.',
  access,
  query: {
    search: 'Words that a part with the image must all contain, case-insensitive.',
    limit: 'The number of images on the page.',
    offset: 'The number of images before the page.',
  },
  response: envelopeSchema(
    Type.Object({ image: imageSchema, count: Type.Integer({ description: 'The number of parts with this image.' }) }),
  ),
  api530: { metadata: { image: { type: 'image upload' } } },
  async read({ query, url, config, database }) {
    const isBare = config.wire.bareThumbnails && (!config.wire.thumbnailPages || !query.limit)
    const { limit, offset } = readWindow(query, config.maxPageSize, isBare)
    const parameters = new Parameters()
    const scope = new Scope(table, 't', parameters)
    const searchConditions = readSearch(part, query.search ? { search: query.search } : {})
    const conditions = searchConditions.map(({ sql }, index) => scope.expression(sql, (name) => `${index}:${name}`))
    const values = Object.fromEntries(
      searchConditions.flatMap((condition, index) => condition.values.map((value) => [`${index}:value`, value])),
    )
    const imageExpression = scope.expression(
      config.wire.bareThumbnails && !config.wire.thumbnailPages ? '{image}' : buildFileUrlSql('{image}'),
    )
    const where = [scope.expression(`{image} <> ''`), ...conditions].join(' and ')
    const rows = await database.read<{ image: string; count: number; all: number }>({
      text: `select ${imageExpression} as image, count(*)::integer as count, (count(*) over ())::integer as all from part t ${scope.joins}
             where ${where} group by t.image order by count desc, t.image
             limit ${parameters.number('limit')} offset ${parameters.number('offset')}`,
      values: parameters.names.map((name) => ({ ...values, limit: limit ?? null, offset })[name]),
    })
    const results = rows.map(({ image, count }) => ({ image, count }))
    if (isBare) return results
    const count = rows[0]?.all ?? offset
    return { count, ...buildPageLinks(url, query, limit ?? config.maxPageSize, offset, count), results }
  },
})

const responseSchema = Type.Object({ image: Type.Union([imageSchema, Type.Null()]) })

async function readImage(pk: number, read: (text: string, values: unknown[]) => Promise<{ image: string | null }[]>) {
  const [row] = await read(`select ${buildFileUrlSql('image')} as image from part where pk = $1`, [pk])
  if (!row) throw notFound()
  return row
}

export const readThumb = view({
  path: '/api/part/thumbs/{id}/',
  summary: 'Get the image of a part',
  description: 'The URL of the image of one part; null for none.',
  access,
  example: { params: { id: 25 } },
  response: responseSchema,
  read: ({ pk, database }) => readImage(pk, queryThrough({ database })),
})

const replaceThumb = (method: 'PUT' | 'PATCH') =>
  action({
    method,
    path: '/api/part/thumbs/{id}/',
    summary: 'Replace the image of a part',
    description: 'Sets the image of a part, sent as multipart/form-data or as a data: URI.',
    access,
    readsBody: true,
    versioned: true,
    body: { image: { ...createPictureInput(table.image, PART_IMAGES), required: method === 'PUT' } },
    example: {
      params: { id: 25 },
      body: {
        image: 'data:image/gif;base64,R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs=',
      },
    },
    response: responseSchema,
    async run(request: Request<Shape> & { tx: Tx }) {
      const { raw, pk, tx } = request
      if (method === 'PUT' && raw.image === undefined) throw invalid({ image: [valueErrors.required] })
      const write = toWriteRequest(request)
      await update(part, pk, { ...write, body: 'image' in raw ? { image: raw.image } : {} }, true)
      return readImage(pk, queryWithin(tx))
    },
  })

export const replaceThumbs = [replaceThumb('PUT'), replaceThumb('PATCH')]
