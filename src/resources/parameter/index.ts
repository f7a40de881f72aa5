import type { Area } from '../area.ts'
import { parameter as parameterResource } from './parameter.resource.ts'
import { parameterTemplate } from './template/parameter-template.resource.ts'

export const parameter: Area = { resources: [parameterTemplate, parameterResource], actions: [] }
