require 'json'
require 'mysql2'
require 'sinatra/base'

class HiveRecords < Sinatra::Base
  set :database, -> { Mysql2::Client.new(default_file: '/etc/hives/my.cnf') }

  get '/records' do
    content_type :json
    client = settings.database
    begin
      rows = client.query("SELECT day, weight FROM records WHERE hive = '#{params['hive']}' ORDER BY day")
      rows.map { |row| { day: row['day'].iso8601, weight: row['weight'].to_f } }.to_json
    ensure
      client.close
    end
  end
end
