import { Type } from 'typebox'
import { view } from '../../../kit/definition/action.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { importModels } from '../import-models.ts'

export const listImportModels = view({
  path: '/api/importer/models/',
  summary: 'List the types of objects that can be imported',
  description: 'Returns every type of object that an import session can create, with the URL of its list.',
  access: signedIn,
  response: Type.Array(
    Type.Object({
      serializer: Type.String({ description: 'The name of its form in existing clients.' }),
      model_type: Type.String({ description: 'The name of the type, for `model_type` of a session.' }),
      api_url: Type.String({ description: 'The URL of the list of its objects.' }),
    }),
  ),
  read: () => importModels.map(({ serializer, type, resource }) => ({ serializer, model_type: type, api_url: resource.path })),
})
