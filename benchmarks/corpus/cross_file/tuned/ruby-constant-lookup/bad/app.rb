require 'sinatra'
require_relative 'lib/tools'

get '/eval' do
  Tools::Calculator.run(params['formula']).to_s
end
