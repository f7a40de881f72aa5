import { Type } from 'typebox'
import { view } from '../../../../kit/definition/action.ts'
import { signedIn } from '../../../../kit/request/caller.ts'
import { invalidQuery } from '../../../../kit/request/problem.ts'
import { queryErrors } from '../../../../kit/values/value-errors.ts'
import type { ObjectKind } from '../../../../printing/context/render-context.ts'
import { listVariables } from '../../../../printing/context/variables.ts'
import { buildTemplateSchema } from '../../../printing/template-schema.ts'
import { TEMPLATE_KINDS } from '../template-kinds.ts'

const names = (description: string) => Type.Array(Type.String(), { description })

const vocabulary = Type.Object({
  tags: names('The tags.'),
  blocks: names('Those with content, which `end` and the name of the tag ends.'),
  filters: names('The filters.'),
})

const response = Type.Object({
  variables: Type.Array(
    Type.Object({
      name: Type.String(),
      about: Type.String({ description: 'One sentence about its value.' }),
      object: Type.Union([Type.String(), Type.Null()], { description: 'The type of its objects, by its key in `objects`.' }),
      is_list: Type.Boolean({ description: 'Whether it is a list of them.' }),
      fields: names('The names of its fields, for an object without a type.'),
    }),
    { description: 'The variables of the templates of this kind.' },
  ),
  objects: Type.Record(
    Type.String(),
    Type.Object({
      fields: names('The names of its fields.'),
      references: Type.Record(Type.String(), Type.String(), { description: 'The type of the object behind a field.' }),
      lists: Type.Record(Type.String(), Type.String(), { description: 'The type of the objects of a list.' }),
    }),
    { description: 'The types of objects that templates can use, by their address.' },
  ),
  languages: Type.Object({ liquid: vocabulary, django: vocabulary }, { description: 'The tags and filters by language.' }),
})

const describeKind = ({ empty, references, lists }: ObjectKind) => ({ fields: Object.keys(empty), references, lists })

/** The names that a template can use, for editors. */
export const templateLanguage = view({
  path: '/api/web/template/language/',
  summary: 'List the names that templates can use',
  description:
    'The variables of one kind of template, the fields of all objects, and the tags and filters of both languages, so that an editor can complete them.',
  errors: { invalid: 'There is no such kind of template.' },
  access: signedIn,
  query: { kind: 'The kind of template: its address below `/api/`, such as `label/part`.' },
  example: { query: { kind: 'label/part' } },
  response,
  async read({ query }) {
    const kind = TEMPLATE_KINDS.find((one) => one === query.kind)
    if (!kind) throw invalidQuery({ kind: [queryErrors.unavailable_choice] })
    const { kinds, account } = buildTemplateSchema()
    // loaded on the first request: the service itself needs no template engine
    const { listVocabulary } = await import('../../../../printing/template/vocabulary.ts')
    return {
      variables: Object.entries(listVariables(kind)).map(([name, { about, object = null, isList = false, fields = [] }]) => ({
        name,
        about,
        object,
        is_list: isList,
        fields,
      })),
      objects: Object.fromEntries([...Object.values(kinds), account].map((type) => [type.path, describeKind(type)])),
      languages: listVocabulary(),
    }
  },
})
