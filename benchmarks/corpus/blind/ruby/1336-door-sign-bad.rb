require 'erb'
require 'sinatra'

LAYOUT = <<~SIGN
  ====================
  %<body>s
  ====================
SIGN

helpers do
  def sign(greeting, room)
    body = "#{greeting}\nRoom <%= room %>"
    ERB.new(body).result_with_hash(room: room)
  end
end

get '/sign' do
  room = params['room'].to_i
  greeting = params.fetch('greeting', 'Welcome')
  content_type 'text/plain'
  format(LAYOUT, body: sign(greeting, room))
end
