import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';

/**
 * Compiles how an answer is written when it is first given: a service gives few of its answers in its first seconds, and
 * to compile all of them is a tenth of a start.
 */
export const serializersWhenAsked: ReturnType<typeof SerializerSelector> = (schemas, options) => {
  const compile = SerializerSelector()(schemas, options);
  return (route) => {
    let serialize: ReturnType<typeof compile> | undefined;
    return (answer) => {
      serialize ??= compile(route);
      return serialize(answer);
    };
  };
};
