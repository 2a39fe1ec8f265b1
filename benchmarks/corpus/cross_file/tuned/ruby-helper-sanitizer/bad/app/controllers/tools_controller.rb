class ToolsController < ApplicationController
  def ping
    host = HostNames.clean(params[:host])
    Pinger.new.call(host)
    head :ok
  end
end
