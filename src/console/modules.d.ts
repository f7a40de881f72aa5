declare module 'metadata:*' {
  const facts: import('./kit/service/field-metadata.ts').ResourceMetadata
  export default facts
}
declare module '*.css'
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
