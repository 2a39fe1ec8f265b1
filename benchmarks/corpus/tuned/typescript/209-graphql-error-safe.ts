import { ApolloServer } from '@apollo/server';
import { GraphQLFormattedError } from 'graphql';
import { typeDefs, resolvers } from './schema';

export const server = new ApolloServer({
  typeDefs,
  resolvers,
  includeStacktraceInErrorResponses: false,
  formatError: (formatted: GraphQLFormattedError): GraphQLFormattedError => {
    return { ...formatted, message: formatted.message.slice(0, 200) };
  },
});
