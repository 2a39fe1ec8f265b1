require 'sinatra/base'
require 'open3'
require 'json'

class MailCheck < Sinatra::Base
  set :show_exceptions, false

  configure do
    set :resolver_timeout, 3
  end

  helpers do
    def exchangers(domain)
      timeout = "+time=#{settings.resolver_timeout}"
      output, status = Open3.capture2('dig', '+short', timeout, '-q', domain, '-t', 'MX')
      return [] unless status.success?

      output.lines.map do |line|
        priority, host = line.split
        { priority: priority.to_i, host: host.to_s.chomp('.') }
      end
    end
  end

  get '/mx' do
    content_type :json
    domain = params['domain'].to_s.strip
    halt 400, JSON.generate(error: 'domain is missing') if domain.empty?

    found = exchangers(domain).sort_by { |mx| mx[:priority] }
    JSON.generate(domain: domain, exchangers: found)
  end

  get '/health' do
    'ok'
  end
end
