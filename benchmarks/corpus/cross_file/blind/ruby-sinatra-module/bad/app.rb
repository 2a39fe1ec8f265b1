require 'sinatra'
require_relative 'lib/archive'

post '/archive' do
  Archive.pack(params[:folder])
  'done'
end
