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
    STOCK_ENABLE_EXPIRY: Type.Boolean({
      description: 'Interfaces show expiry dates, and ask for what is expired or soon will be.',
    }),
    PART_ENABLE_REVISION: Type.Boolean({ description: 'Interfaces show and write the revision of a part.' }),
    TEST_STATION_DATA: Type.Boolean({
      description: 'Interfaces ask at which station a test was made, and when it began and ended.',
    }),
    PURCHASEORDER_EDIT_COMPLETED_ORDERS: Type.Boolean({
      description: 'Interfaces let a purchase order be changed once it is complete.',
    }),
    RETURNORDER_EDIT_COMPLETED_ORDERS: Type.Boolean({
      description: 'Interfaces let a return order be changed once it is complete.',
    }),
    SALESORDER_EDIT_COMPLETED_ORDERS: Type.Boolean({
      description: 'Interfaces let a sales order be changed once it is complete.',
    }),
  }),
  read: (services) => ({
    BARCODE_ENABLE: setting(services, 'BARCODE_ENABLE'),
    BARCODE_WEBCAM_SUPPORT: setting(services, 'BARCODE_WEBCAM_SUPPORT'),
    BARCODE_INPUT_DELAY: setting(services, 'BARCODE_INPUT_DELAY'),
    STOCK_ENABLE_EXPIRY: setting(services, 'STOCK_ENABLE_EXPIRY'),
    PART_ENABLE_REVISION: setting(services, 'PART_ENABLE_REVISION'),
    TEST_STATION_DATA: setting(services, 'TEST_STATION_DATA'),
    PURCHASEORDER_EDIT_COMPLETED_ORDERS: setting(services, 'PURCHASEORDER_EDIT_COMPLETED_ORDERS'),
    RETURNORDER_EDIT_COMPLETED_ORDERS: setting(services, 'RETURNORDER_EDIT_COMPLETED_ORDERS'),
    SALESORDER_EDIT_COMPLETED_ORDERS: setting(services, 'SALESORDER_EDIT_COMPLETED_ORDERS'),
  }),
})
