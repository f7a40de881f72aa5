import { crc32 } from 'node:zlib'

/** The key of a type of object, by its group and its model: derived from its name, so that new types do not change it. */
export const contentTypeKey = (app: string, model: string): number => crc32(`${app}.${model}`) & 0x7fff_ffff
