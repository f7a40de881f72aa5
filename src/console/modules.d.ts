declare module 'facts:*' {
  const facts: import('./kit/service/field-metadata.ts').ResourceMetadata
  export default facts
}
declare module '*.css'
declare module '*.wasm' {
  /** Where it is. */
  const address: string
  export default address
}
declare module '*.svg' {
  /** Where it is. */
  const address: string
  export default address
}
