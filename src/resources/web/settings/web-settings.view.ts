import { Type } from 'typebox'
import { view } from '../../../kit/definition/action.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { setting } from '../../settings/live.ts'

/** Global settings are for staff; what of them an interface goes by is for everybody who uses one. */
export const webSettings = view({
  path: '/api/web/settings/',
  summary: 'What web interfaces go by',
  description: 'Those of the global settings that tell web interfaces how to behave, under their keys, for every account.',
  access: signedIn,
  answer: Type.Object({
    BARCODE_ENABLE: Type.Boolean({ description: 'Interfaces offer to scan barcodes.' }),
    BARCODE_WEBCAM_SUPPORT: Type.Boolean({ description: 'Interfaces offer to scan with a camera.' }),
    BARCODE_INPUT_DELAY: Type.Integer({ description: 'Milliseconds that they wait for more after the input of a scanner.' }),
  }),
  read: (services) => ({
    BARCODE_ENABLE: setting(services, 'BARCODE_ENABLE'),
    BARCODE_WEBCAM_SUPPORT: setting(services, 'BARCODE_WEBCAM_SUPPORT'),
    BARCODE_INPUT_DELAY: setting(services, 'BARCODE_INPUT_DELAY'),
  }),
})
