import { Type } from 'typebox'
import { view } from '../../kit/definition/action.ts'
import type { Query } from '../../kit/definition/filter.ts'
import { envelopeSchema, type Resource } from '../../kit/definition/resource.ts'
import { buildPage, pageQuery } from '../../kit/http/page.ts'
import { signedIn } from '../../kit/request/caller.ts'
import { notFound } from '../../kit/request/problem.ts'
import { contentTypeKey } from './content-type-key.ts'

const contentTypeSchema = Type.Object({
  pk: Type.Integer({ description: 'The primary key, the same in every installation.' }),
  app_label: Type.String({ description: 'The group of the type, as existing clients know it.' }),
  model: Type.String({ description: 'The model name of the type.' }),
  app_labeled_name: Type.String({ description: 'Both as text.' }),
  is_plugin: Type.Boolean({ description: 'Whether a plugin provides it: always false.' }),
})

/** Metadata of its fields in OPTIONS for clients of API 530. */
const METADATA = {
  pk: { label: 'Pk' },
  app_label: { max_length: 100 },
  model: { label: 'python model class name', max_length: 100 },
  is_plugin: { type: 'field' },
}

/** Groups of types whose URLs start with another name than that of the group, by the start of the URL; and groups of single types, by model. */
const GROUPS_BY_PREFIX: Readonly<Record<string, string>> = {
  barcode: 'common',
  'error-report': 'error_report',
  generic: 'common',
  news: 'common',
  'notes-image-upload': 'common',
  notifications: 'common',
  plugins: 'plugin',
  'project-code': 'common',
  units: 'common',
  user: 'users',
}
const GROUPS_BY_MODEL: Readonly<Record<string, string>> = {
  emailaddress: 'account',
  socialaccount: 'socialaccount',
  user: 'auth',
  group: 'auth',
}

/** One type of object. */
function createContentType({ path, model, name }: Resource) {
  const prefix = path.split('/')[2] as string
  const app = GROUPS_BY_MODEL[model] ?? GROUPS_BY_PREFIX[prefix] ?? prefix
  return {
    pk: contentTypeKey(app, model),
    app_label: app,
    model,
    app_labeled_name: `${app} | ${name.toLowerCase()}`,
    is_plugin: false,
  }
}

/** Every type of object that has a URL, by model; a type with two representations counts once. */
function listContentTypes(resources: readonly Resource[]) {
  const byModel = new Map<string, ReturnType<typeof createContentType>>()
  for (const resource of resources) if (!byModel.has(resource.model)) byModel.set(resource.model, createContentType(resource))
  return [...byModel.values()].toSorted((one, other) => (one.model < other.model ? -1 : 1))
}

/** The types that a query selects, in its order. */
function selectContentTypes(types: ReturnType<typeof listContentTypes>, { search = '', ordering = '' }: Query) {
  const words = search.toLowerCase().split(/[\s,]+/)
  const found = types.filter(({ app_labeled_name, model }) =>
    words.every((word) => `${app_labeled_name} ${model}`.includes(word)),
  )
  const sorted =
    ordering.replace(/^-/, '') === 'app_label'
      ? found.toSorted((one, other) => (one.app_label < other.app_label ? -1 : 1))
      : found
  return ordering.startsWith('-') ? sorted.toReversed() : sorted
}

/** @param resources returns all resources when called */
export const createContentTypeViews = (resources: () => readonly Resource[]) => [
  view({
    path: '/api/contenttype/',
    summary: 'List object types',
    description: 'All object types that have a URL, by name.',
    access: signedIn,
    query: {
      ...pageQuery,
      ordering: '`app_label` or `model`, with a leading - for descending order; by default `model`.',
      search: 'Words that the names of the type and its group must all contain.',
    },
    response: envelopeSchema(contentTypeSchema),
    api530: { metadata: METADATA },
    read: (request) =>
      buildPage(
        selectContentTypes(listContentTypes(resources()), request.query).map((type) => JSON.stringify(type)),
        request,
      ),
  }),
  // the second path is that of API 216
  ...['/api/contenttype/{model}/', '/api/contenttype/model/{model}/'].map((path) =>
    view({
      path,
      summary: path.includes('/model/') ? 'Get an object type by its model name' : 'Get an object type',
      description: 'Returns an object type by its model name or primary key.',
      access: signedIn,
      errors: { not_found: 'The object type does not exist.' },
      params: { model: 'The model name, such as `stockitem`; or the primary key.' },
      example: { params: { model: 'stockitem' } },
      response: contentTypeSchema,
      api530: { metadata: METADATA },
      read({ params: { model = '' } }) {
        const contentType = listContentTypes(resources()).find(
          (type) => type.model === model.toLowerCase() || String(type.pk) === model,
        )
        if (!contentType) throw notFound()
        return contentType
      },
    }),
  ),
]
