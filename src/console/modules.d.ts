declare module 'metadata:*' {
  const metadata: import('./kit/service/field-metadata.ts').ResourceMetadata
  export default metadata
}
declare module '*.css'
declare module 'address:*' {
  /** The address of a script that is not part of another one, such as that of a worker. */
  const address: string
  export default address
}
declare module '*.wasm' {
  /** Its address. */
  const address: string
  export default address
}
declare module '*.svg' {
  /** Its address. */
  const address: string
  export default address
}
